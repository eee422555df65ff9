// A page on which raters answer: choosing by keys, a large picture, and moving on by itself.
// The page says which key means what: data-keys of a choice, aria-keyshortcuts of a button or of a link that enlarges.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const ballot = $("ballot");
  if (ballot) begin();

  function begin() {
    const aspects = [...ballot.querySelectorAll(".aspect")];
    const status = $("status");
    const dialog = $("zoom");
    const answer = (aspect) => aspect.querySelector("input:checked");
    const complete = () => aspects.every(answer);
    const goesOn = "auto" in ballot.dataset;
    let current = aspects.find((aspect) => !answer(aspect)) || null;
    let pointed = false;

    function mark(aspect) {
      current = aspect;
      for (const one of aspects) one.classList.toggle("current", one === aspect);
    }

    function say(aspect) {
      const chosen = answer(aspect);
      const text = `${aspect.dataset.name}: ${chosen.dataset.name || chosen.parentElement.textContent.trim()}`;
      status.textContent = complete() ? `${text}. ${ballot.dataset.ready}` : text;
    }

    // The next open question after this one, else an earlier open one, else none: then on to the next page, if it may.
    function moveOn(aspect) {
      const place = aspects.indexOf(aspect);
      const order = [...aspects.slice(place + 1), ...aspects.slice(0, place)];
      const next = order.find((one) => !answer(one)) || null;
      mark(next);
      if (!next && goesOn) return ballot.requestSubmit();
      const target = next || $("next");
      target.focus({ preventScroll: true });
      target.scrollIntoView({ block: "nearest" });
    }

    function answered(aspect) {
      aspect.classList.remove("lacking");
      if (complete() && document.querySelector("p.alert")) document.querySelector("p.alert").remove();
      say(aspect);
    }

    function choose(aspect, input) {
      input.checked = true;
      answered(aspect);
      moveOn(aspect);
    }

    function enlarge(picture) {
      const large = $("large");
      large.src = picture.src;
      large.alt = picture.alt;
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
      if (!open.length || event.submitter?.formNoValidate) {
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
        enlarge($(thing.dataset.zoom));
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
        if (value) localStorage.setItem("rater-keys", value);
        return localStorage.getItem("rater-keys");
      } catch {
        return value || null;
      }
    }

    const chosen = (aspect, key) =>
      aspect && [...aspect.querySelectorAll("input")].find((input) => input.dataset.keys?.split(" ").includes(key));
    const named = (where, selector, key) =>
      [...where.querySelectorAll(selector)].find((one) => one.getAttribute("aria-keyshortcuts")?.toLowerCase() === key);

    addEventListener("keydown", (event) => {
      if (!keys.checked || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const key = event.key.toLowerCase();
      const zoom = named(document, "a[data-zoom]", key);
      if (dialog.open) {
        if (zoom) dialog.close();
        return;
      }
      const radio = event.target.type === "radio";
      if (key.startsWith("arrow") && radio) return;  // arrows walk through the choices, as everywhere
      const aspect = (radio && event.target.closest(".aspect")) || current;
      const input = chosen(aspect, key);
      const button = named(ballot, "button", key);
      if (input) {
        event.preventDefault();
        choose(aspect, input);
      } else if (key === "enter" && !event.target.closest("a, button, summary, input")) {
        event.preventDefault();
        ballot.requestSubmit();
      } else if (button) {
        event.preventDefault();
        ballot.requestSubmit(button);
      } else if (key === "u" && $("undo")) {
        event.preventDefault();
        $("undo").requestSubmit();
      } else if (zoom) {
        event.preventDefault();
        enlarge($(zoom.dataset.zoom));
      }
    });
    mark(current);
  }
})();
