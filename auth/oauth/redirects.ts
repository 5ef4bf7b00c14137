export function isNativeRedirect(redirect: URL): boolean {
  return redirect.protocol !== "https:";
}
