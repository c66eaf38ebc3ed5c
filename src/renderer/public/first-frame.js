// Runs before the first paint, so that a chosen theme never flashes in the other one.
try {
  const { theme } = JSON.parse(localStorage.getItem('lectern.appearance') ?? '{}')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is refused or holds something else: the system's theme is shown.
}
