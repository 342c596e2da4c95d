/**
 * The page link without the SDK, from a page that frames the modal itself, reachable by siblings, children and openers
 * (`window.frames`).
 */
import type { Page } from '@playwright/test'
import { expect } from './expect'

export type RawLink = {
  send(message: unknown): Promise<void>
  received(): Promise<Answer[]>
  ask(method: string, params?: unknown): Promise<Answer>
}

export type Answer = {
  readonly kind: string
  readonly id?: string
  readonly result?: unknown
  readonly error?: { readonly code: string }
}

export const plainInit = {
  projectId: 'demo',
  networks: ['eip155:31337'],
  colorScheme: 'light',
  pageWallets: [],
  stored: {},
}

export const rawPage = (host: string, projectId: string, more = '') => `<!doctype html>
<title>By hand</title>
<script>
  const host = ${JSON.stringify(host)}
  const received = []
  const knocks = []
  let port
  addEventListener('message', ({ data, origin, source }) => {
    if (data === 'postern:ready') knocks.push({ origin, own: source === document.querySelector('#host').contentWindow })
  })
  function hello(message = { type: 'postern:hello', v: 1, min: 1, sdk: 'e2e' }) {
    const { port1, port2 } = new MessageChannel()
    const heard = []
    port1.onmessage = ({ data }) => heard.push(data)
    document.querySelector('#host').contentWindow.postMessage(message, host, [port2])
    return { port: port1, heard }
  }
</script>
<iframe id="host" src="${host}/?projectId=${projectId}&sv=e2e" width="400" height="600" referrerpolicy="origin"></iframe>
${more}`

/** On a page from {@link rawPage}. */
export async function shakeHands(page: Page): Promise<RawLink> {
  await expect.poll(() => page.evaluate('knocks.length')).toBeGreaterThan(0)
  await page.evaluate(`globalThis.link = hello(); port = link.port; port.onmessage = ({ data }) => received.push(data)`)
  await expect.poll(() => page.evaluate('received[0]')).toMatchObject({ kind: 'welcome', v: 1 })
  let asked = 0
  const received = (): Promise<Answer[]> => page.evaluate('received')
  const send = async (message: unknown) => {
    await page.evaluate((message) => {
      const port: unknown = Reflect.get(window, 'link').port
      if (port instanceof MessagePort) port.postMessage(message)
    }, message)
  }
  return {
    send,
    received,
    async ask(method, params = null) {
      const id = `by-hand-${++asked}`
      await send({ v: 1, id, kind: 'request', method, params })
      const answers = async () => (await received()).filter((answer) => answer.id === id)
      await expect.poll(answers, { message: `an answer to ${method}` }).toHaveLength(1)
      const [answer] = await answers()
      if (answer === undefined) throw new Error('No answer.')
      return answer
    },
  }
}
