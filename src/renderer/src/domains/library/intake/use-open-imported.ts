import { watch } from 'vue'
import { useRouter } from 'vue-router'
import { itemPath } from '../entries/item-path.ts'
import { useIntake } from './intake-store.ts'

/** Opens the item of a single dropped file. */
export function useOpenImported(): void {
  const intake = useIntake()
  const router = useRouter()
  watch(
    () => intake.opened,
    (made) => {
      if (!made) return
      intake.opened = null
      void router.push(itemPath(made))
    },
  )
}
