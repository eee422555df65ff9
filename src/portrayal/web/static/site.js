// One submit per form, and the focus where the page says.
(() => {
  "use strict";
  document.documentElement.classList.add("js");

  for (const form of document.querySelectorAll("form[data-once]")) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) return event.preventDefault();
      if (event.defaultPrevented) return;
      form.dataset.sent = "yes";
      // After the event, so that the pressed button's own value is still sent.
      setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
    });
  }
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    for (const form of document.querySelectorAll("form[data-once]")) {
      delete form.dataset.sent;
      form.querySelectorAll("button").forEach((button) => { button.disabled = false; });
    }
  });
  const first = document.querySelector("[data-focus]");
  if (first) first.focus({ preventScroll: first.classList.contains("vh") });
})();
