/** True for a redirect to a program on the person's own device. */
export function isOnThisDevice(redirect: URL): boolean {
  return redirect.protocol !== "https:";
}
