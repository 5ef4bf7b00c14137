import { Router, type Request, type Response } from "express";
import type { z } from "zod";
import { beginPasskey, findNewPasskey } from "../../../../auth/people/factor-challenges.ts";
import { askForNewPasskey, passkeySite, verifyNewPasskey } from "../../../../auth/people/passkeys.ts";
import { newRecoveryCodes } from "../../../../auth/people/recovery-codes.ts";
import { turnOffIfNoneIsLeft, turnOnSecondFactor } from "../../../../auth/people/second-factors.ts";
import { beginTotp, stepOfCode, totpToConfirm } from "../../../../auth/people/totp.ts";
import type { Framed } from "../frame.ts";
import { isRecent } from "../../../../auth/recent-sign-in.ts";
import { takeFactorChallenge } from "../../../../db/identity/second-factors/factor-challenges.ts";
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
} from "../../../../db/identity/second-factors/second-factors.ts";
import type { Db } from "../../../../db/engine/store.ts";
import { findUser } from "../../../../db/identity/users.ts";
import type { AuditedEventName } from "../../../../core/audited-events.ts";
import { name } from "../../../../core/fields.ts";
import { consolePage } from "../pages/console.ts";
import {
  askPasswordPage,
  newPasskeyPage,
  recoveryCodesPage,
  secondFactorPage,
} from "../pages/account/second-factor.ts";
import { sendPage } from "../page.ts";
import { signInByPassword } from "../sign-in/password-sign-in.ts";
import { insertOwnEvent, recordRefusedSignIn } from "../sign-in/sign-in-events.ts";
import { forVisitor } from "../for-visitor.ts";
import { queryOf, sameSignIn, startVisit, type Web } from "../visit.ts";

const PATH = "/account/second-factor";
const MOST_PASSKEYS = 20;
const PasskeyName: z.ZodType<string> = name(100);

const DONE: Record<string, string> = {
  app: "Your authenticator app is set up.",
  passkey: "The passkey is added.",
  renamed: "Saved.",
  removed: "Removed.",
  off: "The second factor is off. Your password alone opens this account.",
};

interface Visit {
  visitor: Framed;
  form: URLSearchParams;
  request: Request;
  response: Response;
}

/** The page on which people manage their second factor. Every change needs a recent sign-in. */
export function secondFactorRouter(web: Web): Router {
  const router = Router();
  const { store } = web.deps;

  const recently = (act: (visit: Visit) => Promise<void>) =>
    forVisitor(
      web,
      async (visitor, request, response) => {
        const form = (response.locals["form"] as URLSearchParams | undefined) ?? new URLSearchParams();
        const visit = { visitor, form, request, response };
        if (isRecent(visitor.authenticatedAt, web.deps.now())) return act(visit);
        const user = await store.read((db) => findUser(db, visitor.userId));
        if ((user?.passwordHash ?? null) === null) return show(visit, web);
        askPassword(visit);
      },
      () => PATH,
    );
  const changing = (
    event: AuditedEventName,
    done: keyof typeof DONE,
    change: (db: Db, visit: Visit) => Promise<unknown>,
  ) =>
    recently(async (visit) => {
      const { visitor, response } = visit;
      await store.write(async (db) => {
        await change(db, visit);
        await insertOwnEvent(db, { name: event, userId: visitor.userId }, response, web.deps);
      });
      response.redirect(303, `${PATH}?done=${done}`);
    });

  router.get(
    PATH,
    recently((visit) => show(visit, web)),
  );
  router.post(
    `${PATH}/sign-in`,
    forVisitor(
      web,
      async (visitor, request, response) => {
        const form = response.locals["form"] as URLSearchParams;
        const given = { email: visitor.email, password: form.get("password") ?? "", next: PATH };
        const refusal = await signInByPassword(request, response, given, web);
        if (!refusal) return;
        const visit = { visitor, form, request, response };
        if (refusal.status === 429) return askPassword(visit, refusal);
        await recordRefusedSignIn({ userId: visitor.userId }, response, web.deps);
        askPassword(visit, { status: 400, problem: "The password is wrong." });
      },
      () => PATH,
    ),
  );
  router.post(
    `${PATH}/app`,
    recently((visit) => beginApp(visit, web)),
  );
  router.post(
    `${PATH}/app/confirm`,
    recently((visit) => confirmApp(visit, web)),
  );
  router.post(
    `${PATH}/app/remove`,
    changing("removeAuthenticatorApp", "removed", async (db, { visitor: { userId } }) => {
      await deleteTotp(db, userId);
      await turnOffIfNoneIsLeft(db, userId);
    }),
  );
  router.post(
    `${PATH}/passkeys/new`,
    recently((visit) => askPasskey(visit, web)),
  );
  router.post(
    `${PATH}/passkeys/add`,
    recently((visit) => addPasskey(visit, web)),
  );
  router.post(
    `${PATH}/passkeys/rename`,
    changing("renamePasskey", "renamed", async (db, { visitor: { userId }, form }) => {
      const read = PasskeyName.safeParse(form.get("name"));
      if (read.success) await renamePasskey(db, userId, form.get("id") ?? "", read.data);
    }),
  );
  router.post(
    `${PATH}/passkeys/remove`,
    changing("removePasskey", "removed", async (db, { visitor: { userId }, form }) => {
      await deletePasskey(db, userId, form.get("id") ?? "");
      await turnOffIfNoneIsLeft(db, userId);
    }),
  );
  router.post(
    `${PATH}/codes`,
    recently((visit) => replaceCodes(visit, web)),
  );
  router.post(
    `${PATH}/remove`,
    changing("removeSecondFactor", "off", (db, { visitor: { userId } }) => deleteSecondFactors(db, userId)),
  );
  return router;
}

function askPassword({ visitor, response }: Visit, refusal?: { status: number; problem: string }): void {
  const page = askPasswordPage({ action: `${PATH}/sign-in`, email: visitor.email, problem: refusal?.problem });
  const body = consolePage(null, visitor, page);
  sendPage(response, { title: "Second factor", body, status: refusal?.status ?? 200 });
}

async function show({ visitor, request, response }: Visit, web: Web, problem?: string): Promise<void> {
  const { userId } = visitor;
  const { secrets, config, deps } = web;
  const view = await deps.store.read(async (db) => {
    const user = await findUser(db, userId);
    const app = await findTotp(db, userId);
    return {
      hasPassword: (user?.passwordHash ?? null) !== null,
      isOn: (user?.secondFactorAt ?? null) !== null,
      appSince: app?.confirmedAt ?? null,
      newApp: await totpToConfirm(db, visitor, secrets),
      passkeys: await listPasskeys(db, userId),
      codesLeft: await countRecoveryCodes(db, userId),
    };
  });
  const offersPasskeys = passkeySite(config.baseUrl) !== undefined;
  const done = DONE[queryOf(request.originalUrl).get("done") ?? ""];
  const content = secondFactorPage({ path: PATH, ...view, offersPasskeys, done, problem });
  const body = consolePage(null, visitor, content);
  sendPage(response, { title: "Second factor", body, ...(problem === undefined ? {} : { status: 400 }) });
}

async function beginApp({ visitor, response }: Visit, { secrets, deps }: Web): Promise<void> {
  await deps.store.write(async (db) => {
    const app = await findTotp(db, visitor.userId);
    // One that is confirmed is removed first, so that no request alone can put another in its place.
    if ((app?.confirmedAt ?? null) !== null) return;
    await beginTotp(db, visitor, { secrets, now: deps.now() });
  });
  response.redirect(303, PATH);
}

async function confirmApp(visit: Visit, web: Web): Promise<void> {
  const { visitor, form, response } = visit;
  const { userId } = visitor;
  const at = { secrets: web.secrets, now: web.deps.now() };
  const code = (form.get("code") ?? "").replaceAll(/\s/g, "");
  const confirmed = await web.deps.store.write(async (db) => {
    const step = await stepOfCode(db, { userId, code }, at);
    if (step === undefined || !(await confirmTotp(db, userId, step, at.now))) return undefined;
    await insertOwnEvent(db, { name: "addAuthenticatorApp", userId }, response, web.deps);
    return { codes: await turnOnSecondFactor(db, userId, at) };
  });
  if (!confirmed)
    return show(visit, web, "The code was not right. Check the clock of your device, and type the newest.");
  await added(visit, { ...confirmed, done: "app" }, web);
}

/** After the first factor: recovery codes, and this browser alone stays signed in. */
async function added(visit: Visit, { codes, done }: { codes: string[] | undefined; done: string }, web: Web) {
  const { visitor, request, response } = visit;
  if (codes === undefined) return response.redirect(303, `${PATH}?done=${done}`);
  await startVisit(request, response, sameSignIn(visitor), web);
  showCodes(visit, { codes, isNew: true });
}

async function askPasskey({ visitor, response }: Visit, { config, deps }: Web): Promise<void> {
  const site = passkeySite(config.baseUrl);
  const known = await deps.store.read((db) => listPasskeys(db, visitor.userId));
  if (!site || known.length >= MOST_PASSKEYS) return response.redirect(303, PATH);
  const challenge = await deps.store.write((db) => beginPasskey(db, visitor, deps.now()));
  const asked = await askForNewPasskey(site, visitor, { challenge, known });
  const body = consolePage(null, visitor, newPasskeyPage({ action: `${PATH}/passkeys/add`, asked, back: PATH }));
  sendPage(response, { title: "New passkey", body });
}

async function addPasskey(visit: Visit, web: Web): Promise<void> {
  const { visitor, form, response } = visit;
  const { userId, sessionId } = visitor;
  const { store, now, newId } = web.deps;
  const site = passkeySite(web.config.baseUrl);
  const begun = await store.read((db) => findNewPasskey(db, sessionId, now()));
  const passkey = site && begun && (await verifyNewPasskey(site, begun.challenge, form.get("passkey") ?? ""));
  const at = { secrets: web.secrets, now: now() };
  const read = PasskeyName.safeParse(form.get("name"));
  const made = await store.write(async (db) => {
    if (!passkey || !(await takeFactorChallenge(db, begun))) return undefined;
    const known = await listPasskeys(db, userId);
    const isOver = known.length >= MOST_PASSKEYS || known.some((one) => one.credentialId === passkey.credentialId);
    if (isOver) return undefined;
    const label = read.success ? read.data : "Passkey";
    await insertPasskey(db, { id: newId(), userId, name: label, createdAt: at.now, ...passkey });
    await insertOwnEvent(db, { name: "addPasskey", userId }, response, web.deps);
    return { codes: await turnOnSecondFactor(db, userId, at) };
  });
  if (!made) return show(visit, web, "The passkey could not be added. Try again.");
  await added(visit, { ...made, done: "passkey" }, web);
}

async function replaceCodes(visit: Visit, { secrets, deps }: Web): Promise<void> {
  const { visitor, response } = visit;
  const { userId } = visitor;
  const codes = await deps.store.write(async (db) => {
    const user = await findUser(db, userId);
    if ((user?.secondFactorAt ?? null) === null) return undefined;
    await insertOwnEvent(db, { name: "replaceRecoveryCodes", userId }, response, deps);
    return newRecoveryCodes(db, userId, { secrets, now: deps.now() });
  });
  if (codes === undefined) return response.redirect(303, PATH);
  showCodes(visit, { codes, isNew: false });
}

function showCodes({ visitor, response }: Visit, view: { codes: string[]; isNew: boolean }): void {
  const body = consolePage(null, visitor, recoveryCodesPage({ ...view, back: PATH }));
  sendPage(response, { title: "Recovery codes", body });
}
