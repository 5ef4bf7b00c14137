import { world } from "../support/world.ts";

export type World = Awaited<ReturnType<typeof world>>;

export const OWNER = "owner@acme.test";

export const ATTEMPT_KEY = { address: "192.0.2.1", email: OWNER };

/** Posts the sign-in form, optionally from a given address. */
export async function trySignIn(
  w: World,
  email: string,
  password: string,
  from: { address?: string; cookie?: string } = {},
) {
  const response = await fetch(`${w.config.baseUrl}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: {
      origin: w.config.baseUrl,
      ...(from.address === undefined ? {} : { "x-forwarded-for": from.address }),
      ...(from.cookie === undefined ? {} : { cookie: from.cookie }),
    },
    body: new URLSearchParams({ email, password }),
  });
  await response.body?.cancel();
  const device = response.headers.getSetCookie().find((cookie) => cookie.startsWith("bva_device="));
  // A rejected sign-in redirects to the page with the message.
  const isRefused = response.headers.get("location")?.startsWith("/sign-in?refused=password") ?? false;
  return {
    status: isRefused ? 401 : response.status,
    headers: response.headers,
    device: device?.split(";", 1)[0] ?? "",
  };
}
