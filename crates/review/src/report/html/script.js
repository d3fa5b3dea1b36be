"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const findings = Array.from(document.querySelectorAll(".finding"));
  const fields = ["severity", "category", "standing"];
  const apply = () => {
    const words = by("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const finding of findings) {
      const fits = fields.every((field) => {
        const wanted = by(field).value;
        return wanted === "" || finding.dataset[field] === wanted;
      });
      const text = finding.dataset.text;
      finding.hidden = !(fits && words.every((word) => text.includes(word)));
      if (!finding.hidden) shown += 1;
    }
    by("count").textContent = `${shown} of ${findings.length}`;
  };
  for (const id of ["search", ...fields]) by(id).addEventListener("input", apply);
  const open = () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const file = place && place.closest("details");
    if (file) { file.open = true; place.scrollIntoView({ block: "center" }); }
  };
  window.addEventListener("hashchange", open);
  apply();
  open();
})();
