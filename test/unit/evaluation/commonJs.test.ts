import { describe, expect, test } from 'vitest';
import { schemaOf } from './source.ts';

const REQUIRE_ZOD = "const { z } = require('zod');\n";

describe('CommonJS', () => {
  test.each([
    ['exports.x =', `${REQUIRE_ZOD}exports.S = z.object({ a: z.string() });`],
    ['module.exports.x =', `${REQUIRE_ZOD}module.exports.S = z.object({ a: z.string() });`],
    ['exports["x"] =', `${REQUIRE_ZOD}exports["S"] = z.object({ a: z.string() });`],
    ['module.exports = {}', `${REQUIRE_ZOD}const S = z.object({ a: z.string() });\nmodule.exports = { S };`],
    ['exports = module.exports =', `${REQUIRE_ZOD}exports = module.exports = { S: z.object({ a: z.string() }) };`],
    ['a chain of names', `${REQUIRE_ZOD}exports.S = exports.Other = z.object({ a: z.string() });`],
    ['its own exports read', `${REQUIRE_ZOD}exports.a = z.string();\nexports.S = z.object({ a: exports.a });`],
    ['require as a whole', "const zod = require('zod');\nexports.S = zod.z.object({ a: zod.string() });"],
    ['a name that is computed', `${REQUIRE_ZOD}const key = 'S';\nexports[key] = z.object({ a: z.string() });`],
  ])('%s', async (_title, text) => {
    const code = `${REQUIRE_ZOD}const { S } = require('./schemas.js');`;
    expect(await schemaOf(code, 'S', { 'schemas.js': text }, 'tools.js')).toBe('{a: string}');
    expect(await schemaOf("import { S } from './schemas.js';", 'S', { 'schemas.js': text })).toBe('{a: string}');
    expect(await schemaOf("import all from './schemas.js';", 'all.S', { 'schemas.js': text })).toBe('{a: string}');
    expect(await schemaOf("import * as all from './schemas.js';", 'all.S', { 'schemas.js': text })).toBe('{a: string}');
    expect(
      await schemaOf(`${REQUIRE_ZOD}const all = require('./schemas');`, 'all.S', { 'schemas.js': text }, 'tools.cjs'),
    ).toBe('{a: string}');
  });

  test('what TypeScript writes', async () => {
    const index = `"use strict";
var __createBinding = (this && this.__createBinding) || (Object.create ? (function(o, m, k, k2) {}) : (function(o, m, k, k2) {}));
var __exportStar = (this && this.__exportStar) || function(m, exports) {};
Object.defineProperty(exports, "__esModule", { value: true });
exports.Kind = exports.All = exports.One = void 0;
const zod_1 = require("zod");
__exportStar(require("./more.js"), exports);
var one_js_1 = require("./one.js");
Object.defineProperty(exports, "One", { enumerable: true, get: function () { return one_js_1.One; } });
var Kind;
(function (Kind) {
    Kind["A"] = "a";
    Kind["B"] = "b";
})(Kind || (exports.Kind = Kind = {}));
var Inner;
(function (Inner) {
    Inner[Inner["X"] = 7] = "X";
})(Inner || (Inner = {}));
exports.All = zod_1.z.object({ k: zod_1.z.enum(Kind), x: zod_1.z.literal(Inner.X) });
exports.default = exports.All;
`;
    const files = {
      'index.js': index,
      'one.js':
        '"use strict";\nexports.One = void 0;\nconst zod_1 = require("zod");\nexports.One = zod_1.z.object({ one: zod_1.z.number() });',
      'more.js': 'exports.More = require("zod").z.object({ more: require("zod").z.boolean() });',
    };
    const code = "const zod_1 = require('zod');\nconst index_js_1 = require('./index.js');\nconst z = zod_1.z;";
    expect(await schemaOf(code, '(0, index_js_1.All.extend)({})', files, 'tools.js')).toBe('{k: "a"|"b", x: 7}');
    expect(await schemaOf(code, 'index_js_1.One', files, 'tools.js')).toBe('{one: number}');
    expect(await schemaOf(code, 'index_js_1.More', files, 'tools.js')).toBe('{more: boolean}');
    expect(await schemaOf(code, 'z.object({ k: z.enum(index_js_1.Kind) })', files, 'tools.js')).toBe('{k: "a"|"b"}');
    expect(
      await schemaOf("import All, { Kind } from './index.js';", 'All.extend({ b: z.literal(Kind.B) })', files),
    ).toBe('{k: "a"|"b", x: 7, b: "b"}');
    expect(
      await schemaOf(
        'var __importDefault = (this && this.__importDefault) || function (mod) { return (mod && mod.__esModule) ? mod : { "default": mod }; };\nconst zod_1 = __importDefault(require("zod"));\nconst z = zod_1.default.z ?? zod_1.default;',
        'z.object({ a: z.string() })',
        {},
        'tools.js',
      ),
    ).toBe('{a: string}');
  });

  test('what bundlers write for a module', async () => {
    const text = `var __defProp = Object.defineProperty;
var __export = (target, all) => { for (var name in all) __defProp(target, name, { get: all[name], enumerable: true }); };
var schemas_exports = {};
__export(schemas_exports, { S: () => S });
var import_zod = require("zod");
module.exports = schemas_exports;
var S = import_zod.z.object({ a: import_zod.z.string() });
0 && (module.exports = { S });
`;
    expect(await schemaOf("import { S } from './schemas.cjs';", 'S', { 'schemas.cjs': text })).toBe('{a: string}');
  });

  test('require of a JSON file, and of one that a function asks for', async () => {
    const files = { 'kinds.json': '["a", "b"]', 'later.js': 'exports.later = 4;' };
    const code = `${REQUIRE_ZOD}const kinds = require('./kinds.json');\nfunction later() { return require('./later').later; }`;
    expect(await schemaOf(code, 'z.object({ k: z.enum(kinds), n: z.literal(later()) })', files, 'tools.cjs')).toBe(
      '{k: "a"|"b", n: 4}',
    );
  });

  test('createRequire in an ECMAScript module', async () => {
    const code =
      "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\nconst zod = require('zod');";
    expect(await schemaOf(code, 'zod.object({ a: zod.z.string() })')).toBe('{a: string}');
  });

  test('__dirname, __filename and require.main', async () => {
    const code = `${REQUIRE_ZOD}const path = require('node:path');\nconst here = path.basename(__dirname) + '/' + path.basename(__filename);\nif (require.main === module) { throw new Error('ran'); }`;
    expect(await schemaOf(code, 'z.object({ a: z.literal(here) })', {}, 'tools.cjs')).toBe('{a: "virtual/tools.cjs"}');
  });
});
