import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";
import { expect, it } from "vitest";

const web = join(import.meta.dirname, "..", "..", "web");

it("finds no component that may return a bare text, which a browser that translates the page would move", () => {
  const files = globSync("**/*.tsx", { cwd: web, exclude: ["dist/**"] });
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    returnedTexts(file, readFileSync(join(web, file), "utf8")).map((result) => `${file}: ${result}`),
  );
  expect(found).toEqual([]);
});

it("finds texts, and what may be one, wherever a component returns them (control)", () => {
  const source = `
    function Words({ known }) {
      const inside = () => "not returned";
      if (!known) return null;
      return known === 1 ? <b>one</b> : known === 2 ? \`two\` : (inside() ?? "many");
    }
    const Passed = ({ children }) => children;
    class Boundary { render() { return this.props.children; } }
    function words() { return "no component"; }
    const List = ({ all }) => all.map((one) => <li>{one}</li>);
    const Kept = ({ children }) => <>{children}</>;
    function Chosen({ it }) { switch (it) { case 1: return <b />; default: return it satisfies never; } }
  `;
  expect(returnedTexts("sample.tsx", source)).toEqual([
    "Words: `two`",
    "Words: inside()",
    'Words: "many"',
    "Passed: children",
    "render: this.props.children",
  ]);
});

type Component = ESTree.Function | ESTree.ArrowFunctionExpression;

/**
 * What a module's components return that may be a bare text. The JSX runtime gives texts an element where they are
 * children; what a component returns has to stand in an element or a fragment.
 */
function returnedTexts(file: string, source: string): string[] {
  const found: string[] = [];
  const names = new Map<unknown, string>();
  const within: (string | undefined)[] = [];
  const inspect = (returned: ESTree.Expression): void => {
    const name = within.at(-1);
    if (name === undefined || !/^(?:[A-Z]|render$)/.test(name)) return;
    for (const { start, end } of unsafeIn(returned)) found.push(`${name}: ${source.slice(start, end)}`);
  };
  const enter = (component: Component): void => {
    within.push(names.get(component) ?? component.id?.name);
    if (component.body !== null && component.body.type !== "BlockStatement") inspect(component.body);
  };
  const leave = (): void => {
    within.pop();
  };
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === "Identifier") names.set(init, id.name);
    },
    MethodDefinition: ({ key, value }) => {
      if (key.type === "Identifier") names.set(value, key.name);
    },
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    ReturnStatement: ({ argument }) => {
      if (argument !== null) inspect(argument);
    },
  }).visit(parseSync(file, source).program);
  return found;
}

/** The outcomes of an expression that are neither elements, nor lists of them, nor nothing. */
function unsafeIn(expression: ESTree.Expression): ESTree.Expression[] {
  switch (expression.type) {
    case "ParenthesizedExpression":
      return unsafeIn(expression.expression);
    case "ConditionalExpression":
      return [...unsafeIn(expression.consequent), ...unsafeIn(expression.alternate)];
    case "LogicalExpression":
      return [
        ...(expression.operator === "&&" ? [] : unsafeIn(expression.left)),
        ...unsafeIn(expression.right),
      ];
    case "CallExpression":
      return isMap(expression) ? [] : [expression];
    case "TSSatisfiesExpression":
      return expression.typeAnnotation.type === "TSNeverKeyword" ? [] : [expression];
    case "Literal":
      return expression.value === null ? [] : [expression];
    default:
      return expression.type.startsWith("JSX") ? [] : [expression];
  }
}

const isMap = ({ callee }: ESTree.CallExpression): boolean =>
  callee.type === "MemberExpression" &&
  callee.property.type === "Identifier" &&
  callee.property.name === "map";
