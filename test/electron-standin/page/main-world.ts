import type { connectWorlds } from './worlds.ts'

/**
 * Applies Electron's changes to a page's own world, on top of what Chromium offers: `window.close`, and everything that
 * needs a permission, is sent to the main process first. Injected into the page as source code, before the page's first
 * script.
 */
export function dressMainWorld(secret: string, connect: typeof connectWorlds): void {
  const worlds = connect(secret, 'main')
  const ask = (name: string, ...args: readonly unknown[]): Promise<unknown> =>
    worlds.call('ask', name, ...args) as Promise<unknown>
  const refuse = (name: string, words: string): never => {
    throw new DOMException(words, name)
  }
  const replace = (target: object | undefined, key: string, value: unknown): void => {
    if (target) Object.defineProperty(target, key, { value, configurable: true, writable: true })
  }

  // Any page may close its window (`allow_scripts_to_close_windows`, `shell/browser/web_contents_preferences.cc`).
  replace(globalThis, 'close', () => void ask('window.close'))

  const { mediaDevices, permissions, wakeLock, clipboard } = navigator
  if (mediaDevices) {
    const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices)
    replace(mediaDevices, 'getUserMedia', async (constraints: MediaStreamConstraints = {}) => {
      const wants = [constraints.audio && 'audio', constraints.video && 'video'].filter(Boolean)
      if (wants.length === 0)
        throw new TypeError('At least one of audio and video must be requested')
      if (!(await ask('permission', 'media', { mediaTypes: wants })))
        refuse('NotAllowedError', 'Permission denied')
      return getUserMedia(constraints)
    })

    /** Creates an empty video and a tone, as a screen and the computer's audio. */
    const captured = (given: { video: boolean; audio: boolean }): MediaStream => {
      const stream = new MediaStream()
      if (given.video) {
        const canvas = document.createElement('canvas')
        canvas.getContext('2d')?.fillRect(0, 0, 1, 1)
        for (const track of canvas.captureStream(1).getTracks()) stream.addTrack(track)
      }
      if (given.audio) {
        const context = new AudioContext()
        const tone = context.createOscillator()
        const out = context.createMediaStreamDestination()
        tone.frequency.value = 440
        tone.connect(out)
        tone.start()
        for (const track of out.stream.getTracks()) stream.addTrack(track)
      }
      return stream
    }
    replace(mediaDevices, 'getDisplayMedia', async (options: DisplayMediaStreamOptions = {}) => {
      // Blink requires a user activation and consumes it.
      const active = navigator.userActivation.isActive
      if (!active)
        refuse(
          'InvalidStateError',
          'Access to the feature "display-capture" requires transient activation.',
        )
      const given = (await ask('display-media', {
        audioRequested: Boolean(options.audio),
        videoRequested: options.video !== false,
        userGesture: active,
      })) as { error?: string; video: boolean; audio: boolean }
      if (given.error !== undefined) refuse(given.error, 'Could not start the capture')
      return captured(given)
    })
  }

  if (permissions) {
    const query = permissions.query.bind(permissions)
    const names: Readonly<Record<string, string>> = {
      microphone: 'media:audio',
      camera: 'media:video',
      notifications: 'notifications',
      'screen-wake-lock': 'screen-wake-lock',
      'clipboard-read': 'clipboard-read',
      'clipboard-write': 'clipboard-sanitized-write',
      'display-capture': 'display-capture',
    }
    replace(permissions, 'query', async (descriptor: PermissionDescriptor) => {
      const known = names[descriptor.name]
      if (known === undefined) return query(descriptor)
      const granted = await ask('permission-check', known)
      const status = await query(descriptor)
      Object.defineProperty(status, 'state', { value: granted ? 'granted' : 'denied' })
      return status
    })
  }

  if (wakeLock) {
    const request = wakeLock.request.bind(wakeLock)
    replace(wakeLock, 'request', async (kind: WakeLockType = 'screen') => {
      if (!(await ask('permission', 'screen-wake-lock', {})))
        refuse('NotAllowedError', 'Wake Lock permission request denied')
      return request(kind)
    })
  }

  if (clipboard) {
    const gate = (key: 'writeText' | 'write' | 'readText' | 'read', permission: string): void => {
      const original = clipboard[key].bind(clipboard) as (...args: unknown[]) => Promise<unknown>
      replace(clipboard, key, async (...args: unknown[]) => {
        if (!(await ask('permission', permission, {})))
          refuse(
            'NotAllowedError',
            `Failed to execute '${key}' on 'Clipboard': Write permission denied.`,
          )
        return original(...args)
      })
    }
    gate('writeText', 'clipboard-sanitized-write')
    gate('write', 'clipboard-sanitized-write')
    gate('readText', 'clipboard-read')
    gate('read', 'clipboard-read')
  }

  // Denying full screen is silent: the promise remains pending, and nothing happens
  // (`WebContents::EnterFullscreenModeForTab`, `shell/browser/api/electron_api_web_contents.cc`).
  const enter = Element.prototype.requestFullscreen
  replace(
    Element.prototype,
    'requestFullscreen',
    async function (this: Element, options?: FullscreenOptions) {
      if (!(await ask('permission', 'fullscreen', {}))) return new Promise<void>(() => {})
      void ask('fullscreen', true)
      return enter.call(this, options)
    },
  )
  document.addEventListener('fullscreenchange', () => {
    if (!document.fullscreenElement) void ask('fullscreen', false)
  })

  const Shown = globalThis.Notification
  if (typeof Shown === 'function') {
    class Notified extends EventTarget {
      static get permission(): NotificationPermission {
        return worlds.call('notification-permission') as NotificationPermission
      }
      static async requestPermission(): Promise<NotificationPermission> {
        return (await ask('permission', 'notifications', {})) ? 'granted' : 'denied'
      }
      constructor(title: string, options: NotificationOptions = {}) {
        super()
        void ask('page-notification', { title, body: options.body ?? '' })
      }
      close(): void {}
    }
    replace(globalThis, 'Notification', Notified)
  }
}
