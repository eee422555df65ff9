// A file is read into its field: nothing is sent before the form is. Another method shows at once what it asks.
(() => {
  "use strict";
  for (const input of document.querySelectorAll("input[type=file][data-into]")) {
    input.addEventListener("change", async () => {
      const field = document.getElementById(input.dataset.into);
      if (input.files.length) field.value = (await input.files[0].text()).slice(0, field.maxLength);
    });
  }
  const form = document.querySelector("form[data-keep]");
  if (!form) return;
  const place = sessionStorage.getItem("portrayal-new");
  if (place) { sessionStorage.removeItem("portrayal-new"); scrollTo(0, Number(place)); }
  for (const button of form.querySelectorAll("button[value=look]")) {
    button.addEventListener("click", () => sessionStorage.setItem("portrayal-new", scrollY));
  }
  for (const choice of form.querySelectorAll("input[name=method]")) {
    // By mouse or finger alone: whoever goes through the choices by keys presses the button.
    choice.addEventListener("click", (event) => { if (event.detail) form.querySelector("button[value=look]").click(); });
  }
})();
