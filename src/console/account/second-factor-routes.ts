import type { z } from "zod";
import { beginPasskeyChallenge, findPasskeyChallenge } from "../../../auth/people/factor-challenges.ts";
import { createRegistrationOptions, toPasskeySite, verifyNewPasskey } from "../../../auth/people/passkeys.ts";
import { newRecoveryCodes } from "../../../auth/people/recovery-codes.ts";
import { disableSecondFactorIfUnused, enableSecondFactor } from "../../../auth/people/second-factors.ts";
import { beginTotp, matchTotpStep, findUnconfirmedTotp } from "../../../auth/people/totp.ts";
import { isRecent } from "../../../auth/recent-sign-in.ts";
import { consumeFactorChallenge } from "../../../db/identity/second-factors/factor-challenges.ts";
import {
  confirmTotp,
  countRecoveryCodes,
  deletePasskey,
  deleteSecondFactors,
  deleteTotp,
  findTotp,
  insertPasskey,
  listPasskeys,
  renamePasskey,
} from "../../../db/identity/second-factors/second-factors.ts";
import type { Db } from "../../../db/engine/store.ts";
import { findUser } from "../../../db/identity/users.ts";
import type { AuditedEventName } from "../../../core/identity/audited-events.ts";
import { nameSchema } from "../../../core/shared/fields.ts";
import {
  renderPasswordPage,
  renderNewPasskeyPage,
  renderRecoveryCodesPage,
  secondFactorPage,
} from "./second-factor-pages.ts";
import { signInByPassword } from "../../http/sign-in/password-sign-in.ts";
import { insertPersonEvent, recordFailedSignIn } from "../../http/sign-in/sign-in-events.ts";
import { getCurrentSignIn, startWebSession } from "../../http/pages/visit.ts";
import { showPage } from "../shared/show-page.ts";
import { formRoute, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";

const PATH = "/account/second-factor";
const MAX_PASSKEYS = 20;
const PasskeyNameSchema: z.ZodType<string> = nameSchema(100);

const DONE_MESSAGES: Record<string, string> = {
  app: "Your authenticator app is set up.",
  passkey: "The passkey is added.",
  renamed: "Saved.",
  removed: "Removed.",
  off: "The second factor is off. Your password alone opens this account.",
};

function requireRecentSignIn(act: (visit: Visit) => Promise<void>) {
  return async (visit: Visit): Promise<void> => {
    const { visitor, web } = visit;
    if (isRecent(visitor.authenticatedAt, web.deps.now())) return act(visit);
    const user = await web.deps.store.read((db) => findUser(db, visitor.userId));
    if ((user?.passwordHash ?? null) === null) return showSecondFactor(visit);
    showPasswordPage(visit);
  };
}

function createChangeHandler(
  event: AuditedEventName,
  done: keyof typeof DONE_MESSAGES,
  change: (db: Db, userId: string, form: URLSearchParams) => Promise<unknown>,
) {
  return requireRecentSignIn(async ({ visitor: { userId }, response, form: sent, web: { deps } }) => {
    await deps.store.write(async (db) => {
      await change(db, userId, sent);
      await insertPersonEvent(db, { name: event, userId }, response, deps);
    });
    response.redirect(303, `${PATH}?done=${done}`);
  });
}

const removeApp = createChangeHandler("removeAuthenticatorApp", "removed", async (db, userId) => {
  await deleteTotp(db, userId);
  await disableSecondFactorIfUnused(db, userId);
});
const handleRenamePasskey = createChangeHandler("renamePasskey", "renamed", async (db, userId, sent) => {
  const read = PasskeyNameSchema.safeParse(sent.get("name"));
  if (read.success) await renamePasskey(db, userId, sent.get("id") ?? "", read.data);
});
const handleRemovePasskey = createChangeHandler("removePasskey", "removed", async (db, userId, sent) => {
  await deletePasskey(db, userId, sent.get("id") ?? "");
  await disableSecondFactorIfUnused(db, userId);
});

/** Pages of second factors, on which every change needs a recent sign-in. */
export const secondFactorRoutes: readonly Route[] = [
  pageRoute(
    PATH,
    requireRecentSignIn((visit) => showSecondFactor(visit)),
  ),
  formRoute(PATH, "sign-in", confirmPassword),
  formRoute(PATH, "app", requireRecentSignIn(beginApp)),
  formRoute(PATH, "app/confirm", requireRecentSignIn(confirmApp)),
  formRoute(PATH, "app/remove", removeApp),
  formRoute(PATH, "passkeys/new", requireRecentSignIn(startPasskey)),
  formRoute(PATH, "passkeys/add", requireRecentSignIn(addPasskey)),
  formRoute(PATH, "passkeys/rename", handleRenamePasskey),
  formRoute(PATH, "passkeys/remove", handleRemovePasskey),
  formRoute(PATH, "codes", requireRecentSignIn(replaceCodes)),
  formRoute(PATH, "remove", createChangeHandler("removeSecondFactor", "off", deleteSecondFactors)),
];

async function confirmPassword(visit: Visit): Promise<void> {
  const { web, visitor, request, response, form: sent } = visit;
  const given = { email: visitor.email, password: sent.get("password") ?? "", nextPath: PATH };
  const refusal = await signInByPassword(request, response, given, web);
  if (!refusal) return;
  if (refusal.status === 429) return showPasswordPage(visit, refusal);
  await recordFailedSignIn({ userId: visitor.userId }, response, web.deps);
  showPasswordPage(visit, { status: 400, problem: "The password is wrong." });
}

function showPasswordPage(visit: Visit, refusal?: { status: number; problem: string }): void {
  const { email } = visit.visitor;
  const content = renderPasswordPage({ action: `${PATH}/sign-in`, email, problem: refusal?.problem });
  showPage(visit, { title: "Second factor", section: null, status: refusal?.status, content });
}

async function showSecondFactor(visit: Visit, problem?: string): Promise<void> {
  const { visitor } = visit;
  const { userId } = visitor;
  const { secrets, config, deps } = visit.web;
  const view = await deps.store.read(async (db) => {
    const user = await findUser(db, userId);
    const app = await findTotp(db, userId);
    return {
      hasPassword: (user?.passwordHash ?? null) !== null,
      isOn: (user?.secondFactorAt ?? null) !== null,
      appSince: app?.confirmedAt ?? null,
      newApp: await findUnconfirmedTotp(db, visitor, secrets),
      passkeys: await listPasskeys(db, userId),
      codesLeft: await countRecoveryCodes(db, userId),
    };
  });
  const offersPasskeys = toPasskeySite(config.baseUrl) !== undefined;
  const done = DONE_MESSAGES[visit.query.get("done") ?? ""];
  const content = secondFactorPage({ path: PATH, ...view, offersPasskeys, done, problem });
  showPage(visit, { title: "Second factor", section: null, status: problem === undefined ? 200 : 400, content });
}

async function beginApp({ visitor, response, web: { secrets, deps } }: Visit): Promise<void> {
  await deps.store.write(async (db) => {
    const app = await findTotp(db, visitor.userId);
    // Keeps a confirmed app, which must be removed first, so that no single request can replace it.
    if ((app?.confirmedAt ?? null) !== null) return;
    await beginTotp(db, visitor, { secrets, now: deps.now() });
  });
  response.redirect(303, PATH);
}

async function confirmApp(visit: Visit): Promise<void> {
  const { visitor, form: sent, response, web } = visit;
  const { userId } = visitor;
  const at = { secrets: web.secrets, now: web.deps.now() };
  const code = (sent.get("code") ?? "").replaceAll(/\s/g, "");
  const confirmed = await web.deps.store.write(async (db) => {
    const step = await matchTotpStep(db, { userId, code }, at);
    if (step === undefined || !(await confirmTotp(db, userId, step, at.now))) return undefined;
    await insertPersonEvent(db, { name: "addAuthenticatorApp", userId }, response, web.deps);
    return { codes: await enableSecondFactor(db, userId, at) };
  });
  if (!confirmed)
    return showSecondFactor(visit, "The code was not right. Check the clock of your device, and type the newest.");
  await finishAddingFactor(visit, { ...confirmed, doneKey: "app" });
}

/** After the first factor is added: shows recovery codes and ends all other sessions. */
async function finishAddingFactor(
  visit: Visit,
  { codes: recoveryCodes, doneKey }: { codes: string[] | undefined; doneKey: string },
) {
  const { visitor, request, response, web } = visit;
  if (recoveryCodes === undefined) return response.redirect(303, `${PATH}?done=${doneKey}`);
  await startWebSession(request, response, getCurrentSignIn(visitor), web);
  showCodes(visit, { recoveryCodes, isNew: true });
}

async function startPasskey(visit: Visit): Promise<void> {
  const { visitor, response } = visit;
  const { config, deps } = visit.web;
  const site = toPasskeySite(config.baseUrl);
  const known = await deps.store.read((db) => listPasskeys(db, visitor.userId));
  if (!site || known.length >= MAX_PASSKEYS) return response.redirect(303, PATH);
  const challenge = await deps.store.write((db) => beginPasskeyChallenge(db, visitor, deps.now()));
  const creationOptions = await createRegistrationOptions(site, visitor, { challenge, known });
  const content = renderNewPasskeyPage({ action: `${PATH}/passkeys/add`, creationOptions, backAddress: PATH });
  showPage(visit, { title: "New passkey", section: null, content });
}

async function addPasskey(visit: Visit): Promise<void> {
  const { visitor, form: sent, response, web } = visit;
  const { userId, sessionId } = visitor;
  const { store, now, newId } = web.deps;
  const site = toPasskeySite(web.config.baseUrl);
  const begun = await store.read((db) => findPasskeyChallenge(db, sessionId, now()));
  const passkey = site && begun && (await verifyNewPasskey(site, begun.challenge, sent.get("passkey") ?? ""));
  const at = { secrets: web.secrets, now: now() };
  const read = PasskeyNameSchema.safeParse(sent.get("name"));
  const addedPasskey = await store.write(async (db) => {
    if (!passkey || !(await consumeFactorChallenge(db, begun))) return undefined;
    const known = await listPasskeys(db, userId);
    const isRejected = known.length >= MAX_PASSKEYS || known.some((one) => one.credentialId === passkey.credentialId);
    if (isRejected) return undefined;
    const label = read.success ? read.data : "Passkey";
    await insertPasskey(db, { id: newId(), userId, name: label, createdAt: at.now, ...passkey });
    await insertPersonEvent(db, { name: "addPasskey", userId }, response, web.deps);
    return { codes: await enableSecondFactor(db, userId, at) };
  });
  if (!addedPasskey) return showSecondFactor(visit, "The passkey could not be added. Try again.");
  await finishAddingFactor(visit, { ...addedPasskey, doneKey: "passkey" });
}

async function replaceCodes(visit: Visit): Promise<void> {
  const { secrets, deps } = visit.web;
  const { response } = visit;
  const { userId } = visit.visitor;
  const recoveryCodes = await deps.store.write(async (db) => {
    const user = await findUser(db, userId);
    if ((user?.secondFactorAt ?? null) === null) return undefined;
    await insertPersonEvent(db, { name: "replaceRecoveryCodes", userId }, response, deps);
    return newRecoveryCodes(db, userId, { secrets, now: deps.now() });
  });
  if (recoveryCodes === undefined) return response.redirect(303, PATH);
  showCodes(visit, { recoveryCodes, isNew: false });
}

function showCodes(visit: Visit, view: { recoveryCodes: string[]; isNew: boolean }): void {
  showPage(visit, {
    title: "Recovery codes",
    section: null,
    content: renderRecoveryCodesPage({ ...view, backAddress: PATH }),
  });
}
