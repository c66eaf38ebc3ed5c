import { useToasts } from './toasts.ts'

/** Shows a toast with an undo action for items removed from a list; `key` is a plural message with `{n}`. */
export function useUndo() {
  const toasts = useToasts()
  return (key: string, ids: readonly string[], back: () => unknown): void =>
    toasts.show(key, {
      count: ids.length,
      values: { n: ids.length },
      about: ids,
      action: {
        key: 'app.undo',
        run: () => {
          toasts.settle(ids)
          back()
        },
      },
    })
}
