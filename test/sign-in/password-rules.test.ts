import { expect, test } from "vitest";
import { findPasswordProblem } from "../../auth/people/password-rules.ts";
import { runAccountCommand } from "../../src/cli/account-command.ts";
import { Browser, type Visit } from "../../examples/browser.ts";
import { alertText } from "../support/alert-text.ts";
import { PASSWORD, sceneWithPassword, signedInBrowser } from "../support/assistant.ts";
import { world } from "../support/world.ts";

const ADA = { email: "ada.lovelace@acme.test", name: "Ada Lovelace" };
const EASY = "password1234";
const GUESSED =
  "This password is easy to guess: it is common, or like your name or e-mail. Choose a few words that do not belong together.";

const refusal = ({ status, text }: Visit) => [status, alertText(text)];

test("rejects password1234 at set-up and keeps the other fields", async () => {
  // Attack: trying the passwords that most people choose.
  await using w = await world();
  const browser = new Browser();
  const fill = { ...ADA, password: EASY, organization: "Analytical", workspace: "Engines" };
  const page = await browser.get(w.setupLink ?? "");
  const refused = await browser.submit(page, { action: /^\/setup$/, fill, untick: ["1"] });
  expect(refusal(refused)).toEqual([400, GUESSED]);
  for (const typed of [ADA.email, ADA.name, "Analytical", "Engines"]) expect(refused.text).toContain(`"${typed}"`);
  expect(refused.text).not.toContain(EASY);
  const made = await browser.submit(refused, { action: /^\/setup$/, fill: { password: PASSWORD } });
  expect(made.text).toContain("Hello, Ada Lovelace");
});

test("rejects password1234 on accepting an invitation and keeps the name", async () => {
  // Attack: trying the passwords that most people choose.
  await using w = await world();
  const { owner, organization } = await w.acme();
  const invited = await owner.post(`${organization.path}/invitations`, { email: ADA.email, role: "viewer" });
  const browser = new Browser();
  const page = await browser.get(invited.body.link);
  const join = (password: string) => browser.submit(page, { action: /\/join$/, fill: { name: ADA.name, password } });
  const refused = await join(EASY);
  expect([...refusal(refused), refused.text.includes(`value="${ADA.name}"`), refused.text.includes(EASY)]).toEqual([
    400,
    GUESSED,
    true,
    false,
  ]);
  expect(refusal(await join("Lovelace.Ada1"))).toEqual([400, GUESSED]);
  expect((await join(PASSWORD)).url.pathname).toBe("/");
});

test("rejects password1234 as a new password, on the account page and by a link", async () => {
  // Attack: trying the passwords that most people choose.
  await using w = await world();
  const { owner } = await sceneWithPassword(w);
  const browser = await signedInBrowser(w, owner.email);
  const page = await browser.get(`${w.config.baseUrl}/account`);
  const fill = { present: PASSWORD, password: EASY };
  expect(refusal(await browser.submit(page, { action: /\/password$/, fill }))).toEqual([400, GUESSED]);
  const environment = { ...w.config, PORT: Number(new URL(w.config.baseUrl).port) };
  const [link = ""] = (await runAccountCommand(w.store, ["reset", owner.email], environment)).text.split("\n");
  const form = await new Browser().get(link);
  const set = (password: string) => new Browser().submit(form, { action: /^\/set-password$/, fill: { password } });
  expect(refusal(await set(EASY))).toEqual([400, GUESSED]);
  expect((await set("blue lamp over seven rivers")).text).toContain("Your password is set");
});

test("rejects password1234 as BOOTSTRAP_PASSWORD and says what to do", async () => {
  // Attack: trying the passwords that most people choose.
  const env = { BOOTSTRAP_EMAIL: ADA.email, BOOTSTRAP_PASSWORD: EASY };
  await expect(world({ env })).rejects.toThrow(`BOOTSTRAP_PASSWORD cannot be used. ${GUESSED}`);
});

test("rates common, repeated, sequential and personal passwords as easy to guess, and random words as strong", async () => {
  const easy = [
    "passwordpassword",
    "qwertyuiop12",
    "123456789012",
    "aaaaaaaaaaaa",
    "P@ssw0rd1234",
    "iloveyou1234",
    "abcdefghijkl",
    ADA.email,
    "AdaLovelace12",
    "brandvisibility",
    "a".repeat(1024),
  ];
  for (const password of easy)
    expect([password, await findPasswordProblem(password, ADA)]).toEqual([password, GUESSED]);
  const hard = [PASSWORD, "another horse battery", "a new long password", "Zk4#vB9!qLm2", "x9 lamp river ".repeat(70)];
  for (const password of hard)
    expect([password, await findPasswordProblem(password, ADA)]).toEqual([password, undefined]);
  const length = "The password must have 12 to 1024 characters.";
  for (const password of ["Zk4#vB9!qLm", "x".repeat(1025)])
    expect(await findPasswordProblem(password, ADA)).toBe(length);
});
