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
  const look = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(section.dataset.live, { headers: { Accept: "application/json" } });
      if (!answer.ok) return set("state", section.dataset.lost);
      const live = await answer.json();
      if (!live.active) return location.reload();
      set("state", live.state);
      set("progress", live.progress);
      if (live.total) { bar.max = live.total; bar.value = live.done; } else { bar.removeAttribute("value"); }
    } catch { set("state", section.dataset.lost); }
  };
  setInterval(look, 2000);
})();
