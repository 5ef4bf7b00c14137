import { world } from "../support/world.ts";

export type World = Awaited<ReturnType<typeof world>>;

export const OWNER = "owner@acme.test";

export const TRIED = { address: "192.0.2.1", email: OWNER };

/** Posts the form of sign-in, from an address where one is named. */
export async function tries(
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
  // A refusal leads to the page that says so.
  const isRefused = response.headers.get("location")?.startsWith("/sign-in?refused=password") ?? false;
  return {
    status: isRefused ? 401 : response.status,
    headers: response.headers,
    device: device?.split(";", 1)[0] ?? "",
  };
}
