/** What a hostile script in a page that the project lists exactly can do to an approval, in real Chromium. */
import type { JSHandle, Page, TestInfo } from '@playwright/test'
import { toHex } from 'viem'
import { installClock } from './support/clock'
import { allChains } from './support/dapp'
import {
  approvalOf,
  approveButton,
  bytesOf,
  declineRequest,
  openApprovalWindow,
  shown,
  signedIn,
  withoutOcclusionReports,
} from './support/embedded'
import { card, type Outcome, press, request } from './support/postern'
import { expect, test } from './support/test'

const declined = { code: 4001 }

/** The wallet's: Approve counts after it. */
const armingDelayMs = 800

/** Styles of the dialog around the modal, which belongs to the page. */
const effects: readonly { readonly what: string; readonly style: Readonly<Record<string, string>> }[] = [
  { what: 'opacity of a thousandth', style: { opacity: '0.001' } },
  { what: 'a rotation', style: { transform: 'rotate(4deg)' } },
  { what: 'a clip that leaves the button', style: { 'clip-path': 'inset(55% 0 0 0)' } },
  { what: 'a blur', style: { filter: 'blur(6px)' } },
  { what: 'an inversion', style: { filter: 'invert(1)' } },
  { what: 'a blend mode', style: { 'mix-blend-mode': 'difference' } },
]

/** The dialog is in a closed tree. A script that runs before the SDK keeps the way in. */
async function breakIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { attachShadow } = Element.prototype
    Element.prototype.attachShadow = function (init) {
      const root = attachShadow.call(this, init)
      if (this.localName === 'postern-frame') Reflect.set(window, 'root', root)
      return root
    }
  })
}

async function restyle(page: Page, style: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate((given) => {
    const root: unknown = Reflect.get(window, 'root')
    const dialog = root instanceof ShadowRoot ? root.querySelector('dialog') : null
    if (dialog === null) throw new Error('The page has no way to the dialog')
    for (const [name, value] of Object.entries(given)) dialog.style.setProperty(name, value, 'important')
  }, style)
}

async function unstyle(page: Page, style: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate((names) => {
    const root: unknown = Reflect.get(window, 'root')
    if (!(root instanceof ShadowRoot)) return
    for (const name of names) root.querySelector('dialog')?.style.removeProperty(name)
  }, Object.keys(style))
}

/** From the wallet's frame to the dialog around it. */
async function takeFocus(page: Page): Promise<void> {
  await page.evaluate(() => {
    const root: unknown = Reflect.get(window, 'root')
    const dialog = root instanceof ShadowRoot ? root.querySelector('dialog') : null
    if (dialog === null) throw new Error('The page has no way to the dialog')
    dialog.tabIndex = -1
    dialog.focus()
  })
}

/** In the top layer, above the modal, and let through by presses. */
async function cover(page: Page, css: string): Promise<void> {
  await page.evaluate((style) => {
    const element = document.createElement('div')
    element.id = 'cover'
    element.popover = 'manual'
    element.textContent = 'Claim your free picture: press Approve below'
    element.style.cssText = `position:fixed;margin:0;border:0;background:#fff;pointer-events:none;${style}`
    document.body.append(element)
    element.showPopover()
  }, css)
}

async function photograph(page: Page, info: TestInfo, what: string): Promise<void> {
  await info.attach(what, { body: await page.screenshot(), contentType: 'image/png' })
}

/** Presses without waiting for the button to be ready, as the user does whose view is a lie. */
async function pressAnyway(page: Page): Promise<void> {
  await approveButton(page).click({ force: true })
}

/**
 * Time from the request with these words to the next press, by the clock of the wallet's frame, in ms. 0 until then, also if
 * the press does not reach the frame.
 */
function untilPressed(page: Page, words: string): Promise<JSHandle<{ ms: number }>> {
  return approvalOf(page).evaluateHandle(({ ownerDocument: { body } }, words) => {
    let shownAt = 0
    new MutationObserver((_changes, observer) => {
      if (body.textContent?.includes(words) !== true) return
      shownAt = performance.now()
      observer.disconnect()
    }).observe(body, { subtree: true, childList: true, characterData: true })
    const delay = { ms: 0 }
    const onPress = () => {
      if (shownAt > 0 && delay.ms === 0) delay.ms = performance.now() - shownAt
    }
    addEventListener('pointerdown', onPress, true)
    return delay
  }, words)
}

const isSettled = (sent: Promise<Outcome>) => Promise.race([sent.then(() => true), Promise.resolve(false)])

test('@embedded @hostile an approval that the page covers, hides or distorts cannot be pressed', async ({
  page,
  visit,
}, info) => {
  test.setTimeout(240_000)
  await breakIn(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('Move 2 ETH'), account])
  await shown(page, waiting)
  const button = approveButton(page)
  await expect(button).toBeEnabled()

  for (const { what, style } of effects) {
    await test.step(what, async () => {
      await restyle(page, style)
      await expect(button, what).toBeDisabled()
      await photograph(page, info, what)
      await pressAnyway(page)
      expect(await isSettled(waiting), what).toBe(false)
      await unstyle(page, style)
      await expect(button, `${what} is gone`).toBeEnabled()
    })
  }

  /** The popover disables Approve, a press on it settles nothing, and Approve works once the popover is gone. */
  const popover = (what: string, css: string) =>
    test.step(what, async () => {
      await cover(page, css)
      await expect(button, what).toBeDisabled()
      await photograph(page, info, what)
      await pressAnyway(page)
      expect(await isSettled(waiting), what).toBe(false)
      await page.evaluate(() => document.getElementById('cover')?.remove())
      await expect(button, `${what} is gone`).toBeEnabled()
    })

  const box = await approvalOf(page).boundingBox()
  if (box === null) throw new Error('The approval has no box')
  await popover(
    'a popover over the upper part, which spares the button',
    `left:${box.x}px;top:${box.y}px;width:${box.width}px;height:${box.height / 3}px;`,
  )
  const corner = 'left:0;top:0;width:10px;height:10px;'
  await popover('the shadow of a popover', `${corner}box-shadow:0 0 0 300px #fff;`)
  await popover('the outline of a popover', `${corner}outline:300px solid #fff;`)
  await popover(
    'the drop shadow of a popover',
    'left:-600px;top:0;width:500px;height:300px;filter:drop-shadow(700px 0 #fff);',
  )
  await page.addStyleTag({ content: '#cover::backdrop{background:linear-gradient(#fff 55%, transparent 55%)}' })
  await popover('the backdrop of a popover elsewhere', 'left:0;top:0;width:1px;height:1px;')

  await test.step('a picture of the page over the page, by a view transition', async () => {
    await page.addStyleTag({
      content: `@keyframes hold { from { opacity: 1 } to { opacity: 1 } }
        ::view-transition { pointer-events: none }
        ::view-transition-old(root) { animation: hold 60s; z-index: 1 }
        ::view-transition-new(root) { display: none }`,
    })
    await page.evaluate(() => {
      const transition = document.startViewTransition()
      Reflect.set(window, 'transition', transition)
      return transition.ready
    })
    await expect(button).toBeDisabled()
    await page.evaluate('transition.skipTransition()')
    await expect(button).toBeEnabled()
  })

  await test.step('another request swapped in at the moment of the press', async () => {
    let first = waiting
    // A slow machine presses after the delay, and then the press counts: another try.
    for (let round = 1; ; round += 1) {
      const words = `Something else ${round}`
      const second = request(page, 'personal_sign', [toHex(words), account])
      await expect(approvalOf(page)).toContainText('1 of 2')
      await expect(button).toBeEnabled()
      const delay = await untilPressed(page, words)
      await declineRequest(page)
      expect(await first).toMatchObject(declined)
      await expect(approvalOf(page)).toContainText(words)
      await pressAnyway(page)
      if ((await delay.evaluate(({ ms }) => ms)) < armingDelayMs) {
        expect(await isSettled(second)).toBe(false)
        await expect(button).toBeEnabled()
        await declineRequest(page)
        expect(await second).toMatchObject(declined)
        break
      }
      expect(round, 'no press came in time').toBeLessThan(5)
      await second
      first = request(page, 'personal_sign', [toHex('Move 2 ETH'), account])
      await shown(page, first)
    }
  })
  await expect(card(page)).toBeHidden()
})

/** The card says why Approve waits. It must not shrink when that is over: another size disarms Approve. */
test('@embedded an approval that was covered for long takes the first press after that', async ({ page, visit }) => {
  test.setTimeout(120_000)
  await breakIn(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('Covered'), account])
  const approval = await shown(page, waiting)
  const button = approveButton(page)
  await expect(button).toBeEnabled()
  await restyle(page, { opacity: '0.001' })
  await expect(approval.getByText('nothing covers it')).toBeVisible()
  const sizes = await approval.evaluateHandle(() => {
    const seen: number[] = []
    addEventListener('resize', () => seen.push(innerHeight))
    return seen
  })
  await unstyle(page, { opacity: '' })
  await expect(button).toBeEnabled()
  await press(button)
  expect(bytesOf(await waiting)).toMatch(/^0x[0-9a-f]{130,}$/)
  expect(await sizes.jsonValue()).toEqual([])
})

/** Such a page opens the modal, and gives it the focus, after the wallet has drawn the request. */
test('@embedded an approval counts without another press if the page is busy when it is asked for', async ({
  page,
  visit,
}) => {
  test.setTimeout(120_000)
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (message: unknown, options: object = {}) {
      postMessage.call(this, message, options)
      if (window.top !== window || !JSON.stringify(message).includes('personal_sign')) return
      setTimeout(() => {
        const end = performance.now() + 1_500
        while (performance.now() < end);
      })
    }
  })
  // Its animation frames also come while the modal is hidden.
  await installClock(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  for (const text of ['Busy', 'Busy again']) {
    const waiting = request(page, 'personal_sign', [toHex(text), account])
    await shown(page, waiting)
    await expect(approveButton(page)).toBeEnabled()
    await press(approveButton(page))
    expect(bytesOf(await waiting)).toMatch(/^0x[0-9a-f]{130,}$/)
    await expect(card(page)).toBeHidden()
  }
})

test('@embedded @hostile a key that is held down approves nothing', async ({ page, visit }) => {
  test.setTimeout(120_000)
  await breakIn(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  await page.keyboard.down('Enter')
  const waiting = request(page, 'personal_sign', [toHex('Held'), account])
  await shown(page, waiting)
  const button = approveButton(page)
  await expect(button).toBeEnabled()
  await button.focus()
  // A key that is down already repeats.
  for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(await isSettled(waiting)).toBe(false)
  await declineRequest(page)
  expect(await waiting).toMatchObject(declined)
})

test('@embedded @hostile a frame that moves under the pointer takes no press', async ({ page, visit }, info) => {
  test.setTimeout(120_000)
  await breakIn(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('Moved'), account])
  await shown(page, waiting)
  const button = approveButton(page)
  await expect(button).toBeEnabled()
  const box = await button.boundingBox()
  if (box === null) throw new Error('Approve has no box')
  // The pointer rests on the card, 60 px above the button; then the page moves the card up by as much.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - 60)
  await restyle(page, { translate: '0 -60px' })
  await page.mouse.down()
  await page.mouse.up()
  await photograph(page, info, 'moved under the pointer')
  expect(await isSettled(waiting)).toBe(false)
  await unstyle(page, { translate: '' })
  await declineRequest(page)
  expect(await waiting).toMatchObject(declined)
})

test('@embedded @engines @hostile without occlusion reports the frame has no Approve to cover', async ({
  page,
  visit,
}) => {
  test.setTimeout(120_000)
  await withoutOcclusionReports(page)
  await breakIn(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('Move 2 ETH'), account])
  await shown(page, waiting)
  await expect(approveButton(page)).toHaveCount(0)

  await test.step('behind a cover, the press opens the window, which shows the request and waits', async () => {
    await cover(page, 'inset:0;width:100vw;height:100vh;')
    const popup = await openApprovalWindow(page)
    await expect(popup.getByText('Move 2 ETH')).toBeVisible()
    expect(await isSettled(waiting)).toBe(false)
    await expect(approveButton(page)).toHaveCount(0)
    await popup.close()
  })

  for (const { what, style } of effects) {
    await restyle(page, style)
    await expect(approveButton(page), what).toHaveCount(0)
    await unstyle(page, style)
  }
  expect(await isSettled(waiting)).toBe(false)
  await page.evaluate(() => document.getElementById('cover')?.remove())
  await declineRequest(page)
  expect(await waiting).toMatchObject(declined)
})

/** Playwright emulates the focus, so a popup does not take it from the frame: the page does, as the popup would. */
test('@embedded @hostile the second press of a double click through a popup that closes approves nothing', async ({
  page,
  visit,
}, info) => {
  test.setTimeout(120_000)
  await breakIn(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('Doubled'), account])
  await shown(page, waiting)
  const button = approveButton(page)
  await expect(button).toBeEnabled()
  const place = await button.boundingBox()
  if (place === null) throw new Error('Approve has no box')
  const opening = page.waitForEvent('popup')
  await page.evaluate(() => void window.open('about:blank', '', 'popup'))
  const popup = await opening
  await takeFocus(page)
  await expect(button).toBeDisabled()
  await popup.evaluate(() => addEventListener('click', () => window.close()))
  // The popup may be gone before Playwright hears that it was pressed.
  await Promise.all([popup.waitForEvent('close'), popup.mouse.click(50, 50).catch(() => undefined)])
  await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2, { clickCount: 2 })
  await photograph(page, info, 'after the second press')
  expect(await isSettled(waiting)).toBe(false)
  await expect(button, 'the press brought the focus back').toBeEnabled()
  await declineRequest(page)
  expect(await waiting).toMatchObject(declined)
})

/** Of the modal's frame. docs/security/threat-model.md says what bounds them. */
const unreported: Readonly<Record<string, string>> = {
  'a mask': 'mask-image:linear-gradient(transparent 55%, black 55%)',
  'the image of a mask’s border': '-webkit-mask-box-image:linear-gradient(transparent 55%, black 55%)',
  'a rounded clip': 'border-top-left-radius:100% 70%',
  'an outline inside': 'outline:150px solid white;outline-offset:-150px',
}

test('@embedded @hostile Chromium does not report a mask, a rounded clip or an outline', async ({
  page,
  visit,
}, info) => {
  test.setTimeout(120_000)
  await breakIn(page)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('Masked'), account])
  await shown(page, waiting)
  const button = approveButton(page)
  for (const [what, css] of Object.entries(unreported)) {
    await expect(button).toBeEnabled()
    const frame = page.locator('postern-frame iframe')
    await frame.evaluate((element, css) => element.setAttribute('style', css), css)
    await photograph(page, info, what)
    // The day that this fails, the threat model has some words less.
    await expect(button, what).toBeEnabled()
    await frame.evaluate((element) => element.removeAttribute('style'))
  }
  await declineRequest(page)
  expect(await waiting).toMatchObject(declined)
})

/** A press without a focus in the frame: the user types, or plays, when the request comes. */
test('@embedded @hostile Enter and Space approve nothing that the user has not gone to', async ({ page, visit }) => {
  test.setTimeout(120_000)
  await visit({ wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('Typed'), account])
  await shown(page, waiting)
  await expect(approveButton(page)).toBeEnabled()
  for (const key of ['Enter', 'Space']) await page.keyboard.press(key)
  await expect(approveButton(page)).toBeEnabled()
  expect(await isSettled(waiting)).toBe(false)
  await declineRequest(page)
  expect(await waiting).toMatchObject(declined)
})
