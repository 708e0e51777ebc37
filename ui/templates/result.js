"use strict";
// Writes the form as TOML, which `ophex import` reads. Nothing leaves this page but the file that you save.
document.getElementById("save").addEventListener("click", function () {
  const main = document.querySelector("main");
  const lines = ["form", "battle", "mark"].map((key) => key + " = " + JSON.stringify(main.dataset[key]));
  let last = "";
  for (const row of document.querySelectorAll("[data-key]")) {
    if (row.dataset.question !== last) {
      last = row.dataset.question;
      lines.push("", "[" + last + "]");
    }
    const given = [...row.querySelectorAll("input")]
      .filter((one) => (one.type === "radio" || one.type === "checkbox" ? one.checked : one.value.trim()))
      .map((one) => one.value.trim());
    lines.push(JSON.stringify(row.dataset.key) + " = " + JSON.stringify(given.join(", ")));
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "application/toml" }));
  link.download = main.dataset.battle + "-result.toml";
  link.click();
});
