/** Whether a server responds at the page's own address, whatever the response. Never rejects. */
export function isServerAlive(): Promise<boolean> {
  return fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
}
