// How far a run is, every two seconds while the page is seen; when it ends, the page is loaded again.
(() => {
  "use strict";
  const section = document.querySelector("[data-live]");
  if (!section) return;
  const bar = section.querySelector("[data-bar]");
  const set = (name, text) => {
    const place = section.querySelector(`[data-${name}]`);
    if (place && place.textContent !== text) place.textContent = text;
  };
  const wall = section.querySelector("[data-newest]");
  const base = section.dataset.live.replace(/live$/, "");
  let shown = "";
  const made = (tag, fields, ...inner) => {
    const element = Object.assign(document.createElement(tag), fields);
    element.append(...inner);
    return element;
  };
  const item = (each) => {
    if (!each.name) {
      const words = [made("b", { textContent: section.dataset.none }), made("br", {}), each.missing, made("br", {}), made("bdi", { textContent: each.prompt })];
      return made("li", {}, made("span", { className: "none dim" }, ...words));
    }
    const image = made("img", { src: `${base}thumbnail/${each.name}`, alt: each.prompt, width: 160, height: 160 });
    const link = made("a", { href: `${base}picture/${each.name}` }, image);
    return made("li", {}, link, " ", made("span", { className: "dim", textContent: each.seen }));
  };
  const show = (pictures) => {
    const now = JSON.stringify(pictures);
    if (now === shown || wall.contains(document.activeElement)) return;
    shown = now;
    wall.replaceChildren(...pictures.map(item));
  };
  const look = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(section.dataset.live, { headers: { Accept: "application/json" } });
      if (!answer.ok) return set("state", section.dataset.lost);
      const live = await answer.json();
      if (!live.active) return location.reload();
      set("state", live.state);
      set("progress", live.progress);
      set("paid", live.paid);
      show(live.pictures);
      if (live.total) { bar.max = live.total; bar.value = live.done; } else { bar.removeAttribute("value"); }
    } catch { set("state", section.dataset.lost); }
  };
  setInterval(look, 2000);
})();

// What starts or closes is looked at again until it has.
if (document.querySelector("[data-again]")) setTimeout(() => location.reload(), 1500);

// The keys of the arrows lead from picture to picture, unless a key is meant for something else.
(() => {
  "use strict";
  addEventListener("keydown", (event) => {
    const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    if (!rel || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, [tabindex]")) return;
    const link = document.querySelector(`a[data-key][rel=${rel}]`);
    if (link) { event.preventDefault(); location.assign(link.href); }
  });
})();
