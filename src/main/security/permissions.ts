import { appOrigin, originOf } from './origins.ts'

/**
 * What the page may be granted, by Electron's name of the permission. Each one that the page asks for is named here, and
 * everything else is refused. `media: 'audio'` is the microphone without the camera. `clipboard-sanitized-write` copies what
 * the user asked to copy. `fullscreen` shows a presentation. `screen-wake-lock` keeps the screen on while a recording runs.
 * `notifications` are refused because the host shows them (`HostDeps.notify`), with the app's own name and a click that leads
 * to the item.
 */
export const permissions: Readonly<Record<string, 'always' | 'audio' | 'never'>> = {
  media: 'audio',
  'display-capture': 'always',
  'clipboard-sanitized-write': 'always',
  fullscreen: 'always',
  'screen-wake-lock': 'always',
  notifications: 'never',
}

/** A permission that the page asks for, or asks whether it has. */
export interface PermissionQuestion {
  readonly permission: string
  /** The URL or origin of the frame that asks; absent when it cannot be told. */
  readonly url: string | undefined
  readonly isMainFrame: boolean
  /** The kinds of media asked for; for a check of one kind, that kind. */
  readonly media?: readonly string[] | undefined
}

/** Decides a request or a check: our own origin, the top frame, and only what the table names. */
export function permits(question: PermissionQuestion, origin: string = appOrigin): boolean {
  if (!Object.hasOwn(permissions, question.permission)) return false
  if (!question.isMainFrame || question.url === undefined) return false
  if (originOf(question.url) !== origin) return false
  const grant = permissions[question.permission]
  if (grant !== 'audio') return grant === 'always'
  const kinds = question.media ?? []
  return kinds.length > 0 && kinds.every((kind) => kind === 'audio')
}
