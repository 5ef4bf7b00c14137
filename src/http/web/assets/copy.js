// Copy buttons. They are hidden until this runs, so that nobody without scripts meets one that does nothing.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  if (!source) continue;
  const label = [...button.childNodes];
  // Read out by screen readers when its text changes.
  const told = document.createElement("span");
  told.className = "unseen";
  told.setAttribute("aria-live", "polite");
  button.after(told);
  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copied(source);
    button.textContent = done ? "Copied" : "Selected: copy it with the keyboard";
    told.textContent = button.textContent;
    setTimeout(() => {
      button.replaceChildren(...label);
      told.textContent = "";
    }, 4000);
  });
}

/** False where the browser lets no page write to the clipboard; the text is selected then. */
async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    // Over plain HTTP there is no navigator.clipboard, or it refuses.
    getSelection()?.selectAllChildren(source);
    return document.execCommand("copy");
  }
}
