import { nextTick, onMounted, watch } from 'vue'
import { useRoute } from 'vue-router'
import { useDocument } from './store.ts'

/** A source of an answer names its page in the address: it is gone to once, after the place where somebody read last. */
export function useRequestedPage(go: (page: number) => void): void {
  const route = useRoute()
  const document = useDocument()
  const requestKey = (): string => `${document.document?.id ?? ''} ${String(route.query['page'] ?? '')}`
  let gone = ''

  async function goThere(): Promise<void> {
    const wanted = requestKey()
    const page = Number(wanted.slice(wanted.indexOf(' ')))
    if (wanted === gone || !Number.isSafeInteger(page) || page < 1) return
    await nextTick()
    if (wanted !== requestKey()) return
    gone = wanted
    go(page)
  }
  onMounted(goThere)
  watch(requestKey, goThere)
}
