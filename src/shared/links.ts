/**
 * Scheme of links that open an item of the Library: `lectern://open/<kind>/<id>`, optionally with a position.
 */
export const linkScheme = 'lectern'

type LinkKind = 'meeting' | 'document' | 'chat'

/** Item with an optional position. Opening it is all that a link can do. */
export interface ItemLink {
  readonly kind: LinkKind
  readonly id: string
  /** Seconds of a meeting, page of a document from 1, ID of a chat message; null for the item itself. */
  readonly place: string | null
}

/** Parameter name and format of a position, by kind. */
const places: Readonly<Record<LinkKind, { readonly name: string; readonly form: RegExp }>> = {
  meeting: { name: 't', form: /^(0|[1-9]\d{0,6})$/ },
  document: { name: 'page', form: /^[1-9]\d{0,5}$/ },
  chat: { name: 'message', form: /^[A-Za-z0-9_-]{1,64}$/ },
}

const whole =
  /^lectern:\/\/open\/(meeting|document|chat)\/([A-Za-z0-9_-]{1,64})(?:\?([a-z]+)=([A-Za-z0-9_-]{1,64}))?$/

/** Parses a link; null for anything that is not exactly one. Nothing is decoded, repaired or ignored. */
export function parseLink(text: string): ItemLink | null {
  const found = whole.exec(text)
  if (!found) return null
  const [, kind, id = '', name, place] = found
  const { name: known, form } = places[kind as LinkKind]
  if (name === undefined || place === undefined) return { kind: kind as LinkKind, id, place: null }
  return name === known && form.test(place) ? { kind: kind as LinkKind, id, place } : null
}

/** Returns the link of an item; the inverse of {@link parseLink}. */
export function linkTo({ kind, id, place }: ItemLink): string {
  const query = place === null ? '' : `?${places[kind].name}=${place}`
  return `${linkScheme}://open/${kind}/${id}${query}`
}

/** Page path of each kind, and parameter name of the position. */
const routes: Readonly<Record<LinkKind, { readonly path: string; readonly name: string }>> = {
  meeting: { path: '/meetings', name: 't' },
  document: { path: '/documents', name: 'page' },
  chat: { path: '/chats', name: 'at' },
}

/** Returns the router location that a link leads to. */
export function routeOf({ kind, id, place }: ItemLink): string {
  const { path, name } = routes[kind]
  return `${path}/${id}${place === null ? '' : `?${name}=${place}`}`
}
