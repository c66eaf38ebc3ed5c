import ts from 'typescript'
import type { Source } from './tree.ts'

const containers = /^(?:Weak)?(?:Map|Set)$|Array$/
const reactive = /^(?:ref|shallowRef|reactive|shallowReactive)$/

/** Whether a value is created to be filled or changed: an empty container, a typed array of a size, reactive state of Vue. */
function isState(value: ts.Expression | undefined): boolean {
  if (!value) return false
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0
  if (ts.isObjectLiteralExpression(value)) return value.properties.length === 0
  if (ts.isCallExpression(value)) return reactive.test(value.expression.getText())
  if (!ts.isNewExpression(value) || !containers.test(value.expression.getText())) return false
  const [content] = value.arguments ?? []
  return content === undefined || ts.isNumericLiteral(content)
}

/** Returns the variables at the top level of a module that keep state between calls: `src/shared/text/fold.ts: classes`. */
export function moduleState({ path, code }: Source): readonly string[] {
  return code.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
    const isConst = (declarationList.flags & ts.NodeFlags.Const) !== 0
    return declarationList.declarations
      .filter(({ initializer }) => !isConst || isState(initializer))
      .map(({ name }) => `${path}: ${name.getText()}`)
  })
}
