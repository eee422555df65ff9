// The battle page: choosing by keys, a large picture, and moving on by itself.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const ballot = $("ballot");
  if (ballot) battle();

  function battle() {
    const aspects = [...ballot.querySelectorAll(".aspect")];
    const status = $("status");
    const dialog = $("zoom");
    const answer = (aspect) => aspect.querySelector("input:checked");
    const complete = () => aspects.every(answer);
    let current = aspects.find((aspect) => !answer(aspect)) || null;
    let pointed = false;

    function mark(aspect) {
      current = aspect;
      for (const one of aspects) one.classList.toggle("current", one === aspect);
    }

    function say(aspect) {
      const chosen = answer(aspect);
      const text = `${aspect.dataset.name}: ${chosen.parentElement.textContent.trim()}`;
      status.textContent = complete() ? `${text}. ${ballot.dataset.ready}` : text;
    }

    // The next open question after this one, else an earlier open one, else none.
    function moveOn(aspect) {
      const place = aspects.indexOf(aspect);
      const order = [...aspects.slice(place + 1), ...aspects.slice(0, place)];
      const next = order.find((one) => !answer(one)) || null;
      mark(next);
      const target = next || $("next");
      target.focus({ preventScroll: true });
      target.scrollIntoView({ block: "nearest" });
    }

    function answered(aspect) {
      aspect.classList.remove("lacking");
      if (complete() && document.querySelector("p.alert")) document.querySelector("p.alert").remove();
      say(aspect);
    }

    function choose(aspect, choice) {
      aspect.querySelector(`input[value="${choice}"]`).checked = true;
      answered(aspect);
      moveOn(aspect);
    }

    function enlarge(side) {
      const large = $("large");
      large.src = $(side).src;
      large.alt = $(side).alt;
      dialog.showModal();
    }

    addEventListener("pointerdown", () => { pointed = true; }, true);
    addEventListener("keydown", () => { pointed = false; }, true);
    for (const aspect of aspects) {
      aspect.addEventListener("change", () => {
        answered(aspect);
        // Whoever walks through the choices with Tab and arrows must not be carried away from them.
        if (pointed) moveOn(aspect); else mark(aspect);
      });
      aspect.addEventListener("focusin", () => mark(aspect));
    }

    ballot.addEventListener("submit", (event) => {
      if (ballot.dataset.sent) return;
      const open = aspects.filter((aspect) => !answer(aspect));
      if (!open.length) {
        status.textContent = ballot.dataset.sending;
        return;
      }
      event.preventDefault();
      for (const aspect of aspects) aspect.classList.toggle("lacking", open.includes(aspect));
      const names = open.map((aspect) => aspect.dataset.name).join(", ");
      complain(ballot.dataset.missing.replace("{aspects}", names));
      mark(open[0]);
      open[0].focus();
    }, true);

    function complain(text) {
      let box = document.querySelector("p.alert");
      if (!box) {
        box = document.createElement("p");
        box.className = "alert";
        box.setAttribute("role", "alert");
        ballot.prepend(box);
      }
      box.textContent = text;
    }

    for (const thing of document.querySelectorAll("[data-zoom]")) {
      thing.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        enlarge(thing.dataset.zoom);
      });
    }
    dialog.addEventListener("click", (event) => { if (event.target !== dialog.querySelector("button")) dialog.close(); });
    for (const picture of document.querySelectorAll(".pictures img")) {
      picture.addEventListener("error", () => picture.classList.add("broken"));
    }

    const keys = $("usekeys");
    $("help").hidden = !matchMedia("(any-hover: hover)").matches;
    keys.checked = recall() !== "off";
    keys.addEventListener("change", () => recall(keys.checked ? "on" : "off"));
    function recall(value) {
      try {
        if (value) localStorage.setItem("arena-keys", value);
        return localStorage.getItem("arena-keys");
      } catch {
        return value || null;
      }
    }

    const CHOICES = { arrowleft: "left", arrowright: "right", arrowdown: "draw", d: "draw", s: "skip" };
    addEventListener("keydown", (event) => {
      if (!keys.checked || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.toLowerCase();
      if (dialog.open) {
        if (key === "z" || key === "x") dialog.close();
        return;
      }
      const radio = event.target.type === "radio";
      if (key.startsWith("arrow") && radio) return;  // arrows walk through the choices, as everywhere
      if (CHOICES[key]) {
        const aspect = (radio && event.target.closest(".aspect")) || current;
        if (!aspect) return;
        event.preventDefault();
        choose(aspect, CHOICES[key]);
      } else if (key === "enter" && !event.target.closest("a, button, summary, input")) {
        event.preventDefault();
        ballot.requestSubmit();
      } else if (key === "u" && $("undo")) {
        event.preventDefault();
        $("undo").requestSubmit();
      } else if (key === "z" || key === "x") {
        event.preventDefault();
        enlarge(key === "z" ? "left" : "right");
      }
    });
    mark(current);
  }
})();
