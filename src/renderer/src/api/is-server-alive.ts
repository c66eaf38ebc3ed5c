/** Whether anybody answers at the page's own address, whatever the answer. Never rejects. */
export function someoneAnswers(): Promise<boolean> {
  return fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
}
