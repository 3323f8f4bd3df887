// What our JavaScript is held to; what is others' is left alone.

import js from "@eslint/js";
import { globalIgnores } from "eslint/config";
import globals from "globals";

const INSIDE = "is a name that plotly.js does not promise: ask #following/plotly_inside.js";
const inside = ["_.+", "calcdata"].flatMap((name) => [
  { selector: `MemberExpression[property.name=/^${name}$/]`, message: `This ${INSIDE}` },
  { selector: `ObjectPattern > Property[key.name=/^${name}$/]`, message: `This ${INSIDE}` },
]);

export default [
  globalIgnores(["evalcore/figures/drawing/", "ui/server/saving/", "tests/axe/", "docs/site/", "site/", "build/", ".*/"]),
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      complexity: ["error", 15],
      eqeqeq: "error",
      "no-restricted-syntax": ["error", ...inside],
      "no-shadow": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  { files: ["**/plotly_inside.js"], rules: { "no-restricted-syntax": "off" } },
  { files: ["tests/javascript/**", "*.config.js"], languageOptions: { globals: globals.node } },
];
