/* global SwaggerUIBundle -- from the script before this one */
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
follow();
dark.addEventListener("change", follow);

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  filter: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  showExtensions: false,
  // No validator badge from another origin.
  validatorUrl: null,
});
