/**
 * After an upgrade the gateway may lack the files of an open tab's build. The modal then reloads; the SDK sends waiting
 * requests again.
 *
 * 1. A file that is answered with 404 is gone. After a network failure, a retry can help.
 * 2. A gone file alone reloads a closed modal. An open one reloads when a view cannot load, so that a failed prefetch
 *    takes nothing from a user who types.
 * 3. If the gateway still serves this build, the view's error stays. If it does not say which build it serves, the
 *    modal reloads.
 * 4. A reloaded page does not reload itself again: its next failure shows the view's error.
 */
import { fileGone } from '@postern/ui/preload'

type View = Pick<Window, 'addEventListener' | 'performance'> & { readonly location: Pick<Location, 'reload'> }

/** Window event. */
export const viewFailure = 'postern:view-failure'

/**
 * @param isCurrent whether the gateway still serves this page's build; rejects if it does not say
 * @returns a function to call when the modal closes
 */
export function watchBuild(view: View, isOpen: () => boolean, isCurrent: () => Promise<boolean>): () => void {
  let isGone = false
  let hasReloaded = isReload(view.performance)
  const reloadIfGone = async (mayBeOpen: boolean) => {
    if (!isGone || hasReloaded) return
    hasReloaded = true
    const isSame = await isCurrent().catch(() => false)
    // If the user has opened the modal meanwhile, it reloads at the next close.
    if (isSame || (isOpen() && !mayBeOpen)) hasReloaded = false
    else view.location.reload()
  }
  view.addEventListener(fileGone, () => {
    isGone = true
    if (!isOpen()) void reloadIfGone(false)
  })
  view.addEventListener(viewFailure, () => void reloadIfGone(true))
  return () => void reloadIfGone(false)
}

/** The entry's URL has the hash of its content. */
export async function isCurrentBuild(document: Document, fetch: typeof globalThis.fetch): Promise<boolean> {
  const entry = document.querySelector('script[type=module][src]')?.getAttribute('src')
  const response = await fetch(document.location.href, { cache: 'no-store' })
  if (!entry || !response.ok) throw new Error('The gateway does not say which build it serves')
  return (await response.text()).includes(`"${entry}"`)
}

function isReload(performance: Performance): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation !== undefined && 'type' in navigation && navigation.type === 'reload'
}
