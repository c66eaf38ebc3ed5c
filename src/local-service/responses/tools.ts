import { fieldIllegal, type JsonObject } from '../json-body.ts'
import { choiceOf, objectOf, objectsOf, requiredText, textOf } from '../json-fields.ts'

interface OfferedFunction {
  readonly name: string
  /** Namespace; empty without one. */
  readonly namespace: string
  /** Names and types of its parameters from its JSON Schema. */
  readonly parameters: readonly { readonly name: string; readonly type: string }[]
}

/** Tools of a request (service-notes 13): the functions, and whether web search is allowed. */
export interface OfferedTools {
  readonly functions: readonly OfferedFunction[]
  readonly webSearch: boolean
}

function parametersOf(tool: JsonObject): OfferedFunction['parameters'] {
  const schema = objectOf(tool, 'parameters')
  const properties = schema && objectOf(schema, 'properties')
  return Object.entries(properties?.values ?? {}).map(([name, property]) => {
    const type =
      typeof property === 'object' && property !== null && 'type' in property ? property.type : ''
    return { name, type: typeof type === 'string' ? type : '' }
  })
}

function functionOf(tool: JsonObject, namespace: string): OfferedFunction {
  const name = requiredText(tool, 'name')
  textOf(tool, 'description')
  return { name, namespace, parameters: parametersOf(tool) }
}

/** Reads `tools` of a request. Throws 1213 and 1214. */
export function readTools(body: JsonObject): OfferedTools {
  const functions: OfferedFunction[] = []
  let webSearch = false
  for (const tool of objectsOf(body, 'tools') ?? []) {
    requiredText(tool, 'type')
    const type = choiceOf(tool, 'type', ['function', 'namespace', 'custom', 'web_search'])
    if (type === 'function') functions.push(functionOf(tool, ''))
    if (type === 'custom') requiredText(tool, 'name')
    if (type === 'web_search') webSearch = true
    if (type !== 'namespace') continue
    const namespace = requiredText(tool, 'name')
    for (const inner of objectsOf(tool, 'tools') ?? []) {
      if (inner.values['type'] !== 'function')
        throw fieldIllegal(`${inner.path}.type`, 'be function')
      functions.push(functionOf(inner, namespace))
    }
  }
  return { functions, webSearch }
}

/** Function call with arguments as JSON text. */
interface FunctionCall {
  readonly name: string
  readonly namespace: string
  readonly arguments: string
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function typed(value: string, type: string): unknown {
  const plain = value.replace(/^["'“‘]|["'”’]$/g, '')
  if (type === 'integer' || type === 'number') {
    const number = Number(plain)
    return Number.isFinite(number) ? number : undefined
  }
  if (type === 'boolean') return /^(?:true|yes)$/i.test(plain)
  return plain
}

/**
 * Finds the value of a parameter in the input: `name is value`, `name: value`, `name = value`, also with spaces instead
 * of underscores.
 */
function valueOf({ name, type }: OfferedFunction['parameters'][number], input: string): unknown {
  const spelled = escaped(name).replaceAll('_', '[_ ]')
  const pattern = `(?<![\\p{L}\\p{N}_])${spelled}\\s*(?:[:=：]|is\\b|为|是)\\s*("[^"]*"|'[^']*'|“[^”]*”|[^\\s,;，；。]+)`
  const value = new RegExp(pattern, 'iu').exec(input)?.[1]
  return value === undefined ? undefined : typed(value.replace(/[.!?]$/, ''), type)
}

/**
 * Finds the function that the input explicitly names. Its arguments are a JSON object after the name, or the parameter
 * values found in the input; missing values are omitted, never guessed. Undefined if no function is named.
 */
export function calledFunction(
  functions: readonly OfferedFunction[],
  input: string,
): FunctionCall | undefined {
  for (const offered of functions) {
    const found = new RegExp(
      `(?<![\\p{L}\\p{N}_])${escaped(offered.name)}(?![\\p{L}\\p{N}_])`,
      'iu',
    ).exec(input)
    if (!found) continue
    const rest = input.slice(found.index + found[0].length)
    const { name, namespace } = offered
    const given = jsonAfter(rest)
    if (given !== undefined) return { name, namespace, arguments: given }
    const entries = offered.parameters.flatMap((parameter) => {
      const value = valueOf(parameter, input)
      return value === undefined ? [] : [[parameter.name, value] as const]
    })
    const only = offered.parameters[0]
    // "call get_weather for Paris": a single parameter gets the text after the preposition.
    const target = /^\s+(?:for|of|in|with|on)\s+([^,;.!?]+)/iu.exec(rest)?.[1]?.trim()
    if (entries.length === 0 && only && offered.parameters.length === 1 && target !== undefined) {
      const value = typed(target, only.type)
      if (value !== undefined) entries.push([only.name, value])
    }
    return { name, namespace, arguments: JSON.stringify(Object.fromEntries(entries)) }
  }
  return undefined
}

/** Returns the JSON object at the start of the text, also in parentheses: `({"city":"Paris"})`. */
function jsonAfter(text: string): string | undefined {
  const from = /^[\s(:]*(?:with)?[\s(:]*(?=\{)/i.exec(text)?.[0].length
  if (from === undefined) return undefined
  for (let end = text.indexOf('}', from); end >= 0; end = text.indexOf('}', end + 1)) {
    const part = text.slice(from, end + 1)
    try {
      JSON.parse(part)
      return part
    } catch {
      continue
    }
  }
  return undefined
}
