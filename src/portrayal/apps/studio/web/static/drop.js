// Pictures dropped anywhere on their page: files, folders and archives, sent as the form itself would send them.
(() => {
  "use strict";
  const form = document.querySelector("form[data-drop]");
  if (!form) return;
  const place = form.querySelector(".drop");
  const words = form.querySelector("[data-chosen-words]");
  const inputs = [...form.querySelectorAll("input[type=file]")];
  let dropped = [];  // [field, path, file]
  const size = () => [...inputs.flatMap((input) => [...input.files]), ...dropped.map((each) => each[2])];
  const show = () => {
    const files = size();
    words.textContent = files.length ? form.dataset.chosen.replace("#", files.length) : "";
  };
  const inFolder = async (entry, into) => {
    if (entry.isFile) {
      into.push([entry.fullPath.slice(1), await new Promise((done, failed) => entry.file(done, failed))]);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (!some.length) return;
      for (const each of some) await inFolder(each, into);
    }
  };
  const stop = (event) => { event.preventDefault(); place.classList.toggle("over", event.type === "dragover"); };
  for (const name of ["dragover", "dragleave"]) document.addEventListener(name, stop);
  document.addEventListener("drop", async (event) => {
    stop(event);
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    const files = [];
    for (const entry of entries) await inFolder(entry, files);
    // One folder alone is where the pictures lie; the names of several say something.
    const field = entries.length === 1 && entries[0].isDirectory ? "folder" : "files";
    dropped.push(...files.map(([path, file]) => [field, path, file]));
    show();
  });
  for (const input of inputs) input.addEventListener("change", show);
  form.addEventListener("submit", async (event) => {
    const bytes = size().reduce((sum, file) => sum + file.size, 0);
    if (bytes > Number(form.dataset.most)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      words.textContent = form.dataset.tooMany;
      return;
    }
    words.textContent = form.dataset.sending;
    if (!dropped.length) return;
    event.preventDefault();
    const sent = new FormData(form);
    for (const [field, path, file] of dropped) sent.append(field, file, path);
    const answer = await fetch(form.action, { method: "POST", body: sent }).catch(() => null);
    if (answer && answer.redirected) return location.assign(answer.url);
    const page = answer && new DOMParser().parseFromString(await answer.text(), "text/html");
    const said = page && page.querySelector("[role=alert], .lead");
    words.textContent = said ? said.textContent : "";
    dropped = [];
    form.reset();
    delete form.dataset.sent;
    form.querySelectorAll("button").forEach((button) => { button.disabled = false; });
  }, true);
})();
