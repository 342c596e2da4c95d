/**
 * What a hostile script in a page that the project lists exactly can do to an approval, in real Chromium. What arms and
 * disarms Approve in the frame is tested on pages that the project trusts: there every request stays in the frame.
 */
import type { JSHandle, Page, TestInfo } from '@playwright/test'
import { toHex } from 'viem'
import { installClock, pauseClock } from './support/clock'
import { allChains } from './support/dapp'
import {
  approvalOf,
  approveButton,
  approveInWindow,
  bytesOf,
  codeField,
  codeOf,
  codeRefusal,
  continueButton,
  declineRequest,
  openApprovalWindow,
  shown,
  signedIn,
  typeCode,
  typeEmail,
  untilCodeCounts,
  walletFrameIn,
  withoutOcclusionReports,
} from './support/embedded'
import { newAddress, nextMail } from './support/mailbox'
import { card, type Outcome, openConnect, opening, press, request } from './support/postern'
import { expect, test } from './support/test'

// Chromium reports what covers the wallet's frame with all that is drawn around it.
test.use({ hasBlur: true })

const declined = { code: 4001 }

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

/** How often the pointer has pressed in the wallet's frame while it showed these words. */
function countPresses(page: Page, words: string): Promise<JSHandle<{ presses: number }>> {
  return approvalOf(page).evaluateHandle(({ ownerDocument: { body } }, words) => {
    const count = { presses: 0 }
    const onPress = () => {
      if (body.textContent?.includes(words)) count.presses++
    }
    addEventListener('pointerdown', onPress, true)
    return count
  }, words)
}

const isSettled = (sent: Promise<Outcome>) => Promise.race([sent.then(() => true), Promise.resolve(false)])

test('@main @embedded @hostile an approval that the page covers, hides or distorts cannot be pressed', async ({
  page,
  visit,
}, info) => {
  await breakIn(page)
  await installClock(page)
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
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
    const words = 'Something else'
    const second = request(page, 'personal_sign', [toHex(words), account])
    await expect(approvalOf(page)).toContainText('1 of 2')
    await expect(button).toBeEnabled()
    const count = await countPresses(page, words)
    // However slow the machine is, no time passes between the sight of the request and the press.
    await pauseClock(page, approvalOf(page))
    await declineRequest(page)
    await expect
      .poll(async () => {
        await page.clock.runFor(20)
        return approvalOf(page).textContent()
      })
      .toContain(words)
    expect(await waiting).toMatchObject(declined)
    await expect(button).toBeDisabled()
    await expect
      .poll(async () => {
        await pressAnyway(page)
        return count.evaluate(({ presses }) => presses)
      })
      .toBeGreaterThan(0)
    expect(await isSettled(second)).toBe(false)
    await page.clock.resume()
    await expect(button).toBeEnabled()
    await declineRequest(page)
    expect(await second).toMatchObject(declined)
  })
  await expect(card(page)).toBeHidden()
})

/** The card says why Approve waits. It must not shrink when that is over: another size disarms Approve. */
test('@embedded an approval that was covered for long takes the first press after that', async ({ page, visit }) => {
  await breakIn(page)
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('Covered'), account])
  const approval = await shown(page, waiting)
  const button = approveButton(page)
  await expect(button).toBeEnabled()
  await restyle(page, { opacity: '0.001' })
  await expect(approval.getByText('nothing covers it')).toBeVisible()
  // The line makes the card taller; the frame follows.
  await expect.poll(() => approval.evaluate((main) => main.scrollHeight - main.clientHeight)).toBeLessThanOrEqual(0)
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
  await page.addInitScript(() => {
    const { postMessage } = MessagePort.prototype
    MessagePort.prototype.postMessage = function (message: unknown, options: object = {}) {
      postMessage.call(this, message, options)
      if (window.top !== window || !JSON.stringify(message).includes('personal_sign')) return
      // real time: keeps the page busy, as a page does
      setTimeout(() => {
        // real time: keeps the page busy, as a page does
        const end = performance.now() + 1_500
        // real time: keeps the page busy, as a page does
        while (performance.now() < end);
      })
    }
  })
  // Its animation frames also come while the modal is hidden.
  await installClock(page)
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
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

test('@main @embedded @hostile a code is not taken while the page covers what it is for', async ({
  page,
  visit,
}, info) => {
  const email = newAddress()
  await visit({ wallets: [], networks: allChains })
  await openConnect(page)
  await typeEmail(page, email)
  const code = codeOf(await nextMail(email))
  const field = codeField(page)
  await expect(field).toBeEditable()
  // A card that is armed no longer grows.
  await untilCodeCounts(page)
  const submitted: string[] = []
  page.on('request', (sent) => {
    if (sent.url().includes('/auth/email/verify')) submitted.push(sent.url())
  })
  const [frame, box] = [await walletFrameIn(page).getByRole('main').boundingBox(), await field.boundingBox()]
  if (frame === null || box === null) throw new Error('The code card has no box')
  await cover(page, `left:${frame.x}px;top:${frame.y}px;width:${frame.width}px;height:${box.y - frame.y}px;`)
  await expect(field).not.toBeEditable()
  await photograph(page, info, 'a code field beside the words of the page')
  // As a user whose view is a lie.
  await field.focus()
  await page.keyboard.type(code)
  await expect(codeRefusal(page, 'nothing covers it')).toBeVisible()
  await expect(field).toHaveValue('')
  expect(submitted).toEqual([])

  await page.evaluate(() => document.getElementById('cover')?.remove())
  await typeCode(page, code)
  await expect(card(page, 'Wallet created')).toBeVisible()
  expect(submitted).toHaveLength(1)
})

test('@main @embedded @hostile a key that is held down approves nothing', async ({ page, visit }) => {
  await breakIn(page)
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
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

test('@main @embedded @hostile a frame that moves under the pointer takes no press', async ({ page, visit }, info) => {
  await breakIn(page)
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
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

test('@main @embedded @engines @hostile the frame has no Approve to cover, in any engine', async ({ page, visit }) => {
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

/**
 * Paints `words` over the card, above its buttons, as the picture of a view transition of one element (Chrome 147 and
 * later). The browser does not report such a picture as a cover. `scope`: the element of the transition, in the page's top
 * layer or inside the modal's dialog.
 */
async function paint(page: Page, scope: 'popover' | 'dialog', words: string): Promise<void> {
  const box = await approvalOf(page).boundingBox()
  if (box === null) throw new Error('The approval has no box')
  const place = { left: box.x, top: box.y, width: box.width, height: box.height - 70 }
  await page.evaluate(
    async ({ scope, words, place: { left, top, width, height } }) => {
      const shadow: unknown = Reflect.get(window, 'root')
      const dialog = shadow instanceof ShadowRoot ? shadow.querySelector('dialog') : null
      if (dialog === null) throw new Error('The page has no way to the dialog')
      const size = `width: ${width}px; height: ${height}px`
      const style = document.createElement('style')
      style.textContent = `
        #scope { position: fixed; inset: auto; left: 0; top: 0; width: 1px; height: 1px; border: 0; padding: 0; margin: 0;
          overflow: visible; contain: layout; background: none; pointer-events: none }
        #scope::backdrop { display: none }
        #bait { view-transition-name: bait; position: absolute; ${size}; background: #fff }
        #scope::view-transition { pointer-events: none }
        #scope::view-transition-group(*), #scope::view-transition-image-pair(*), #scope::view-transition-old(*),
        #scope::view-transition-new(*) { animation-duration: 99999s; pointer-events: none }
        #scope::view-transition-group(bait) { animation: none; transform: none; position: fixed;
          left: ${left}px; top: ${top}px; ${size} }
        #scope::view-transition-old(bait) { animation: none; opacity: 1; display: block; width: 100%; height: 100% }
        #scope::view-transition-new(bait) { animation: hold 99999s; opacity: 0 }
        @keyframes hold { from { opacity: 0 } to { opacity: 0 } }`
      const bait = Object.assign(document.createElement('div'), { id: 'bait', textContent: words })
      const element = Object.assign(document.createElement('div'), { id: 'scope' })
      element.append(bait)
      const around = scope === 'popover' ? document.body : dialog
      around.append(style, element)
      if (scope === 'popover') {
        element.popover = 'manual'
        element.showPopover()
      }
      const start: unknown = Reflect.get(element, 'startViewTransition')
      if (typeof start !== 'function') throw new Error('The engine has no view transitions of one element')
      const transition = start.call(element, () => {
        bait.style.cssText = 'width:1px;height:1px;overflow:hidden'
      })
      await transition.ready
    },
    { scope, words, place },
  )
}

for (const scope of ['popover', 'dialog'] as const)
  test(`${scope === 'popover' ? '@main ' : ''}@embedded @hostile a picture over the card, by a view transition of a ${scope}, gets no signature`, async ({
    page,
    visit,
  }, info) => {
    await breakIn(page)
    await visit({ wallets: [], networks: allChains })
    const { eip155: account } = await signedIn(page)
    const words = 'I give everything that I own to 0xA77AC4E5.'
    const waiting = request(page, 'personal_sign', [toHex(words), account])
    await shown(page, waiting)
    await paint(page, scope, 'Sign in to the mint. Press Approve below to prove that you are human.')
    await photograph(page, info, `a picture by a ${scope}`)
    // No Approve shows below the picture. The press that the picture asks for opens the wallet's own window.
    await expect(approveButton(page)).toHaveCount(0)
    const popup = await openApprovalWindow(page)
    await expect(popup.getByText(words)).toBeVisible()
    expect(await isSettled(waiting)).toBe(false)
    await approveInWindow(popup)
    expect(bytesOf(await waiting)).toMatch(/^0x[0-9a-f]{130,}$/)
  })

/** Below 0.75 of its size, as `devicePixelRatio` tells. */
test('@embedded @hostile a card whose text the page zooms too small is approved in the window', async ({
  page,
  visit,
}, info) => {
  await breakIn(page)
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('In small print'), account])
  await shown(page, waiting)
  await expect(approveButton(page)).toBeEnabled()
  await restyle(page, { zoom: '0.8' })
  await expect(approveButton(page)).toBeEnabled()
  await restyle(page, { zoom: '0.5' })
  await photograph(page, info, 'half the size')
  await expect(continueButton(page)).toBeVisible()
  await expect(approveButton(page)).toHaveCount(0)
  await unstyle(page, { zoom: '' })
  await expect(approvalOf(page)).toContainText('too small to read')
  await expect(approveButton(page)).toHaveCount(0)
  await declineRequest(page)
  expect(await waiting).toMatchObject(declined)
})

/** Playwright emulates the focus, so a popup does not take it from the frame: the page does, as the popup would. */
test('@main @embedded @hostile the second press of a double click through a popup that closes approves nothing', async ({
  page,
  visit,
}, info) => {
  await breakIn(page)
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
  const { eip155: account } = await signedIn(page)
  const waiting = request(page, 'personal_sign', [toHex('Doubled'), account])
  await shown(page, waiting)
  const button = approveButton(page)
  await expect(button).toBeEnabled()
  const place = await button.boundingBox()
  if (place === null) throw new Error('Approve has no box')
  const popup = await opening(page, () => page.evaluate(() => void window.open('about:blank', '', 'popup')))
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
  await breakIn(page)
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
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
  await visit({ projectId: 'trusted', wallets: [], networks: allChains })
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

/** Permit2, of everything, with a witness of the attacker's choice. */
function permitWith(note: string): string {
  const address = (name: string) => ({ name, type: 'address' })
  const number = (name: string) => ({ name, type: 'uint256' })
  return JSON.stringify({
    types: {
      EIP712Domain: [{ name: 'name', type: 'string' }, number('chainId'), address('verifyingContract')],
      PermitWitnessTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        address('spender'),
        number('nonce'),
        number('deadline'),
        { name: 'witness', type: 'Witness' },
      ],
      TokenPermissions: [address('token'), number('amount')],
      Witness: [{ name: 'note', type: 'string' }],
    },
    primaryType: 'PermitWitnessTransferFrom',
    domain: { name: 'Permit2', chainId: 31337, verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' },
    message: {
      permitted: { token: addressOf(1), amount: `${2n ** 256n - 1n}` },
      spender: addressOf(2),
      nonce: '1',
      deadline: '4102444800',
      witness: { note },
    },
  })
}

const addressOf = (digit: number) => `0x${`${digit}`.repeat(40)}`

test('@embedded @hostile letters under stacks of marks paint nothing over the warnings', async ({
  page,
  visit,
}, info) => {
  await visit({ wallets: [], networks: allChains })
  const { eip155: from } = await signedIn(page)
  const stack = `i${'\u0302\u0304'.repeat(60)}`
  for (const note of [stack.repeat(76), 'W\u0301\u0302\u0303\u0304'.repeat(76)]) {
    const asked = request(page, 'eth_signTypedData_v4', [from, permitWith(note)])
    const approval = await shown(page, asked)
    const warnings = approval.getByRole('list', { name: 'Warnings' })
    await expect(warnings).toContainText('Unlimited')
    await photograph(page, info, 'the card')
    const field = approval
      .locator('[data-site-text]')
      .filter({ hasText: /^[iW]\u0302?\u0301?/ })
      .last()
    // The chain may add a warning between two pictures.
    await expect(async () => {
      const seen = await warnings.screenshot()
      await field.evaluate(
        (element) => element instanceof HTMLElement && element.style.setProperty('visibility', 'hidden'),
      )
      const without = await warnings.screenshot()
      await field.evaluate((element) => element instanceof HTMLElement && element.style.removeProperty('visibility'))
      expect(seen.equals(without)).toBe(true)
    }).toPass({ timeout: 20_000 })
    await declineRequest(page)
    expect(await asked).toMatchObject(declined)
  }
})
