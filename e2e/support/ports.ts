/** The page link, as a bystander on the page would see it. */
import type { Page } from '@playwright/test'

export type Overheard = {
  readonly kind: string
  readonly method?: string
  readonly event?: string
  readonly params?: unknown
}

/** Before the page is opened: scripts keep references to the originals. */
export async function spyOnPorts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (window.top !== window) return
    const overheard: unknown[] = []
    Object.assign(window, { overheard })
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (this: MessagePort, ...rest: unknown[]) {
      overheard.push(structuredClone(rest[0]))
      return Reflect.apply(postMessage, this, rest)
    }
  })
}

export const sentOverPorts = (page: Page): Promise<Overheard[]> => page.evaluate('overheard')
