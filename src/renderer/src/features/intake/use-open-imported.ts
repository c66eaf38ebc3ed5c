import { watch } from 'vue'
import { useRouter } from 'vue-router'
import { useIntake } from './store.ts'

/** Opens the recording that a single dropped file has become. */
export function useOpenImported(): void {
  const intake = useIntake()
  const router = useRouter()
  watch(
    () => intake.opened,
    (id) => {
      if (!id) return
      intake.opened = null
      void router.push(`/recordings/${id}`)
    },
  )
}
