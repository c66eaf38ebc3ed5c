import { appOrigin, originOf } from './origins.ts'

/**
 * Permissions that the page may be granted, by Electron's name. Each permission that the page requests is listed here, and
 * everything else is refused. `media: 'audio'` is the microphone without the camera. `clipboard-sanitized-write` copies text
 * at the user's request. `fullscreen` shows a presentation. `screen-wake-lock` keeps the screen on while a recording runs.
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

/** A permission that the page requests or whose state it checks. */
interface PermissionQuestion {
  readonly permission: string
  /** URL or origin of the requesting frame; absent when unknown. */
  readonly url: string | undefined
  readonly isMainFrame: boolean
  /** Requested media types; for a check of one type, only that type. */
  readonly media?: readonly string[] | undefined
}

/** Decides a request or a check: allows only the app's own origin, the top frame, and the permissions in the table. */
export function permits(question: PermissionQuestion, origin: string = appOrigin): boolean {
  if (!Object.hasOwn(permissions, question.permission)) return false
  if (!question.isMainFrame || question.url === undefined) return false
  if (originOf(question.url) !== origin) return false
  const grant = permissions[question.permission]
  if (grant !== 'audio') return grant === 'always'
  const kinds = question.media ?? []
  return kinds.length > 0 && kinds.every((kind) => kind === 'audio')
}
