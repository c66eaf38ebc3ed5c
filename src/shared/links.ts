/** Scheme of addresses that open an item of the Library: `lectern://open/<kind>/<id>`, perhaps with a place in it. */
export const linkScheme = 'lectern'

/** What a link may lead to. */
export type LinkKind = 'meeting' | 'document' | 'chat'

/** An item and a place in it. Opening it is all that a link can do. */
export interface ItemLink {
  readonly kind: LinkKind
  readonly id: string
  /** Seconds of a meeting, page of a document from 1, id of a chat's message; null for the item itself. */
  readonly place: string | null
}

/** The name of a place by kind, and its form. */
const places: Readonly<Record<LinkKind, { readonly name: string; readonly form: RegExp }>> = {
  meeting: { name: 't', form: /^(0|[1-9]\d{0,6})$/ },
  document: { name: 'page', form: /^[1-9]\d{0,5}$/ },
  chat: { name: 'message', form: /^[A-Za-z0-9_-]{1,64}$/ },
}

const whole =
  /^lectern:\/\/open\/(meeting|document|chat)\/([A-Za-z0-9_-]{1,64})(?:\?([a-z]+)=([A-Za-z0-9_-]{1,64}))?$/

/** Reads a link; null for anything that is not exactly one. Nothing is decoded, mended or ignored. */
export function parseLink(text: string): ItemLink | null {
  const found = whole.exec(text)
  if (!found) return null
  const [, kind, id = '', name, place] = found
  const { name: known, form } = places[kind as LinkKind]
  if (name === undefined || place === undefined) return { kind: kind as LinkKind, id, place: null }
  return name === known && form.test(place) ? { kind: kind as LinkKind, id, place } : null
}

/** The address of an item; the other way of {@link parseLink}. */
export function linkTo({ kind, id, place }: ItemLink): string {
  const query = place === null ? '' : `?${places[kind].name}=${place}`
  return `${linkScheme}://open/${kind}/${id}${query}`
}

/** Where each kind lies in the page, and what its address calls the place. */
const routes: Readonly<Record<LinkKind, { readonly path: string; readonly name: string }>> = {
  meeting: { path: '/recordings', name: 't' },
  document: { path: '/documents', name: 'page' },
  chat: { path: '/chats', name: 'at' },
}

/** The place in the page that a link leads to, as the router knows it. */
export function routeOf({ kind, id, place }: ItemLink): string {
  const { path, name } = routes[kind]
  return `${path}/${id}${place === null ? '' : `?${name}=${place}`}`
}
