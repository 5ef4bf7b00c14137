// Shows how far work is that goes on, without loading the page anew: what is typed stays, and so does where one reads.
const EVERY_MS = 5000;
/** A page that is left open stops asking, so that its session can end as one that is not used. */
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

/** The same part of the page as it is now; null where it is gone, undefined where the page cannot be read. */
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
