// Copy buttons. They are hidden until this script runs, as they do nothing without it.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  if (!source) continue;
  const label = [...button.childNodes];
  // Screen readers announce changes of its text.
  const told = document.createElement("span");
  told.className = "unseen";
  told.setAttribute("aria-live", "polite");
  button.after(told);
  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copied(source);
    button.textContent = done ? "Copied" : "Selected: press Ctrl+C or Cmd+C";
    told.textContent = button.textContent;
    setTimeout(() => {
      button.replaceChildren(...label);
      told.textContent = "";
    }, 4000);
  });
}

/** False if the browser blocks writing to the clipboard; the text is then selected instead. */
async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    // navigator.clipboard is missing over plain HTTP, or rejects.
    getSelection()?.selectAllChildren(source);
    return document.execCommand("copy");
  }
}
