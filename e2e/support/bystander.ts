import type { Page } from '@playwright/test'

export type Bystander = {
  evaluate(expression: string): Promise<unknown>
  click(box: { x: number; y: number; width: number; height: number } | null): Promise<void>
  crashModal(): Promise<void>
}

/** Playwright gives up a page when one of its frames crashes, so use the DevTools protocol. */
export async function watchFromOutside(page: Page): Promise<Bystander> {
  const session = await page.context().newCDPSession(page)
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  return {
    evaluate,
    async click(box) {
      if (box === null) throw new Error('There is nothing to click.')
      const at = { x: box.x + box.width / 2, y: box.y + box.height / 2, button: 'left', clickCount: 1 } as const
      await session.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at })
      await session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at })
    },
    async crashModal() {
      const frame = page.frames().find((each) => each.url().includes('//modal.postern.localhost'))
      if (frame === undefined) throw new Error('The modal has no frame yet.')
      const inFrame = await page.context().newCDPSession(frame)
      const crashed = page.waitForEvent('crash')
      // No response: the process has crashed.
      inFrame.send('Page.crash').catch(() => {})
      await crashed
    },
  }
}
