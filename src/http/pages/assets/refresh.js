// Refreshes parts of the page in place, so that input and the reading position stay.
const EVERY_MS = 5000;
/** Max polls, so that the session of a page that stays open can expire. */
const MOST = 120;

for (const shown of document.querySelectorAll("[data-refresh]")) void follow(shown);

async function follow(shown) {
  for (let asked = 0; asked < MOST;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    if (document.hidden) continue;
    asked += 1;
    const now = await read(shown.id);
    if (now === undefined) continue;
    if (now === null) return tellEnd(shown);
    shown.replaceChildren(...now.childNodes);
  }
}

/** Null if the part no longer exists, undefined if the page cannot be read. */
async function read(id) {
  try {
    const response = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!response.ok || response.redirected) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    return page.getElementById(id);
  } catch {
    return undefined;
  }
}

function tellEnd(shown) {
  const told = document.createElement("p");
  told.setAttribute("role", "status");
  const link = document.createElement("a");
  link.href = "";
  link.textContent = "Show the page as it is now";
  told.append("The collect has ended. ", link);
  shown.replaceChildren(told);
}
