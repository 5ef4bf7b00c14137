// Passkeys. Forms for them are hidden until this script runs, as they do nothing without it.
for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!window.PublicKeyCredential) continue;
  const answer = form.elements.namedItem("passkey");
  const told = form.querySelector("[role=status]");
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    if (answer.value !== "") return;
    event.preventDefault();
    told.textContent = "Waiting for your passkey.";
    try {
      answer.value = JSON.stringify(await answerOf(JSON.parse(form.dataset.passkey)));
      form.requestSubmit();
    } catch {
      told.textContent = "No passkey was used. Try again.";
    }
  });
}

/** Creates a passkey if the options name a user; otherwise uses one. */
async function answerOf(asked) {
  const isNew = "user" in asked;
  const publicKey = { ...asked, challenge: bytes(asked.challenge) };
  for (const list of ["allowCredentials", "excludeCredentials"]) {
    if (asked[list]) publicKey[list] = asked[list].map((known) => ({ ...known, id: bytes(known.id) }));
  }
  if (isNew) publicKey.user = { ...asked.user, id: bytes(asked.user.id) };
  const made = await (isNew ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey }));
  const { response } = made;
  const texts = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) texts[name] = text(response[name]);
  }
  const transports = isNew && response.getTransports ? { transports: response.getTransports() } : {};
  const { id, type, authenticatorAttachment } = made;
  const clientExtensionResults = made.getClientExtensionResults();
  return {
    id,
    rawId: id,
    type,
    authenticatorAttachment,
    clientExtensionResults,
    response: { ...texts, ...transports },
  };
}

function bytes(base64url) {
  const plain = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  const plain = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
