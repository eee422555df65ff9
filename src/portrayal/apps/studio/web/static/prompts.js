// A file of prompts is read into the field: nothing is sent before the form is.
(() => {
  "use strict";
  for (const input of document.querySelectorAll("input[type=file][data-into]")) {
    input.addEventListener("change", async () => {
      const field = document.getElementById(input.dataset.into);
      if (input.files.length) field.value = (await input.files[0].text()).slice(0, field.maxLength);
    });
  }
})();
