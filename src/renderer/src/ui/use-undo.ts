import { useToasts } from './toasts.ts'

/** Says that things left a list, with the way back; `key` is a sentence with a plural and `{n}`. */
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
