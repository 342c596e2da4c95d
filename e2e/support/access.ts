/** What a user needs of every view: axe's rules, and what axe does not measure. */
import AxeBuilder from '@axe-core/playwright'
import type { Frame, Page } from '@playwright/test'
import { expect } from './expect'
import { card } from './postern'

const modalFrame = (page: Page) => page.frames().find((frame) => frame.url().includes('//modal.postern.localhost'))

/** Waits until animations have ended. A hidden frame's never end. */
export async function modalAtRest(page: Page): Promise<void> {
  await modalFrame(page)?.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(finite.map(({ finished }) => finished))
  })
}

/** After a change of the window's size: a click while the frame has its former size misses what it aims at. */
export async function modalOfWindowSize(page: Page): Promise<void> {
  const frame = modalFrame(page)
  if (frame === undefined) return
  await expect.poll(() => frame.evaluate(() => innerWidth)).toBe(page.viewportSize()?.width)
  await modalAtRest(page)
}

/** WCAG 2.2 AA by axe, after animations. */
export async function axeFaults(page: Page, without: readonly string[] = []): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // It puts style sheets into documents of its own, which Firefox reports as blocked by the page's policy.
    .options({ preload: false })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .disableRules([...without])
    .analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('; ')}`,
  )
}

export async function faultless(page: Page, view: string): Promise<void> {
  if (await card(page).isVisible()) await modalAtRest(page)
  expect(await axeFaults(page), view).toEqual([])
}

/** WCAG 1.4.12. Constructed sheets are not subject to a page's policy. Returns what takes the spacing away. */
export async function spaceText(frame: Frame): Promise<() => Promise<void>> {
  const before = await frame.evaluateHandle(() => {
    // A copy: the document's own list changes with what is assigned to it.
    const before = [...document.adoptedStyleSheets]
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
    )
    document.adoptedStyleSheets = [...before, sheet]
    return before
  })
  return () =>
    frame.evaluate((before) => {
      document.adoptedStyleSheets = before
    }, before)
}

/**
 * Runs in the page. Faults of the document, one sentence each:
 *
 * 1. nothing is wider than the window;
 * 2. no text is cut off by a box that does not scroll, except with an ellipsis and the whole text in `title`;
 * 3. each control can be brought into view, and nothing covers it there;
 * 4. the focused control has a ring;
 * 5. with forced colours, each control has an edge or an underline;
 * 6. with reduced motion, nothing moves.
 */
export async function faultsOfDocument(hasForcedColours: boolean): Promise<string[]> {
  const faults: string[] = []
  const slack = 1.5
  const nextFrame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  const root = document.querySelector('[role="dialog"]') ?? document.body
  const named = (element: Element) => {
    const text = element.getAttribute('aria-label') ?? element.textContent ?? ''
    return `${element.localName} “${text.replace(/\s+/g, ' ').trim().slice(0, 50)}”`
  }
  const isHiddenFromView = (element: Element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true
    if (element.closest('[inert]') !== null) return true
    for (let each: Element | null = element; each !== null; each = each.parentElement) {
      if (getComputedStyle(each).clipPath !== 'none') return true
    }
    return false
  }
  /** Spaces that are kept hang over the end of a line: only words count. */
  const boxOf = (node: Node, keepsSpaces: boolean) => {
    const text = node.textContent ?? ''
    const parts = keepsSpaces
      ? [...text.matchAll(/\S+/g)].map(({ 0: { length }, index }) => [index, index + length])
      : []
    const rects = (parts.length === 0 ? [[0, text.length]] : parts).map(([from = 0, to = 0]) => {
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      return range.getBoundingClientRect()
    })
    return {
      left: Math.min(...rects.map(({ left }) => left)),
      right: Math.max(...rects.map(({ right }) => right)),
      top: Math.min(...rects.map(({ top }) => top)),
      bottom: Math.max(...rects.map(({ bottom }) => bottom)),
    }
  }
  const scrolls = (value: string) => value === 'auto' || value === 'scroll'
  const clips = (value: string) => value === 'hidden' || value === 'clip'

  // 1
  if (document.documentElement.scrollWidth > innerWidth + slack)
    faults.push(`the page is ${document.documentElement.scrollWidth} wide in ${innerWidth}`)
  for (const element of root.querySelectorAll('*')) {
    const { left, right, width } = element.getBoundingClientRect()
    if (width === 0 || isHiddenFromView(element) || element.closest('svg') !== null) continue
    if (left < -slack || right > innerWidth + slack) faults.push(`${named(element)} ends outside the window`)
  }

  // 2
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    if (element === null || (node.textContent ?? '').trim() === '' || isHiddenFromView(element)) continue
    const box = boxOf(node, getComputedStyle(element).whiteSpace.startsWith('pre'))
    let [across, down] = [true, true]
    for (let each: Element | null = element; each !== null && (across || down); each = each.parentElement) {
      const style = getComputedStyle(each)
      const edge = each.getBoundingClientRect()
      if (scrolls(style.overflowX)) across = false
      if (scrolls(style.overflowY)) down = false
      const isCutAcross =
        across && clips(style.overflowX) && (box.right > edge.right + slack || box.left < edge.left - slack)
      const isCutDown =
        down && clips(style.overflowY) && (box.bottom > edge.bottom + slack || box.top < edge.top - slack)
      const isShortened = style.textOverflow === 'ellipsis' && element.closest('[title]') !== null
      if (isCutAcross && isShortened) across = false
      if ((isCutAcross && !isShortened) || isCutDown) {
        faults.push(`the text of ${named(element)} is cut off`)
        break
      }
    }
  }

  // 3, 4, 5
  const isStop = (element: Element): element is HTMLElement =>
    element instanceof HTMLElement && element.tabIndex >= 0 && !element.matches(':disabled')
  const before = document.activeElement
  const isDrawn = (style: CSSStyleDeclaration, min: number) =>
    (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= min) ||
    (['top', 'bottom', 'left', 'right'] as const).some(
      (side) =>
        style.getPropertyValue(`border-${side}-style`) !== 'none' &&
        Number.parseFloat(style.getPropertyValue(`border-${side}-width`)) >= min,
    )
  /** The control, its label and its field. */
  const around = (element: Element): Element[] =>
    [
      element,
      element.parentElement,
      element.parentElement?.parentElement,
      element.parentElement?.parentElement?.parentElement,
    ].filter((each): each is Element => each instanceof Element && each !== root)
  const ringsOf = (element: Element) =>
    around(element).map((each) => JSON.stringify([getComputedStyle(each).outline, getComputedStyle(each).boxShadow]))
  const isEdged = (element: Element) =>
    around(element).some((each) => isDrawn(getComputedStyle(each), 1)) ||
    getComputedStyle(element).textDecorationLine === 'underline' ||
    [...(element.parentElement?.querySelectorAll('[aria-hidden] , span, div') ?? [])].some((each) =>
      isDrawn(getComputedStyle(each), 1),
    )
  for (const element of root.querySelectorAll('button, a[href], input, textarea, select, summary, [tabindex]')) {
    if (!isStop(element) || isHiddenFromView(element)) continue
    if (element === document.activeElement && element instanceof HTMLElement) {
      element.blur()
      await nextFrame()
    }
    const rest = ringsOf(element)
    const cellsAtRest = [...(element.parentElement?.children ?? [])].map((each) => getComputedStyle(each).boxShadow)
    // As by the keyboard, also after a click.
    element.focus({ focusVisible: true })
    await nextFrame()
    if (document.activeElement !== element) {
      // Gives the focus to the wallet's frame.
      if (element.getBoundingClientRect().width <= 1) continue
      const held = document.activeElement === null ? 'nothing' : named(document.activeElement)
      faults.push(`${named(element)} does not take the focus: ${held} has it`)
      continue
    }
    const box = element.getBoundingClientRect()
    let [top, bottom, left, right] = [0, innerHeight, 0, innerWidth]
    for (let each = element.parentElement; each !== null; each = each.parentElement) {
      const style = getComputedStyle(each)
      const edge = each.getBoundingClientRect()
      if (style.overflowY !== 'visible') [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)]
      if (style.overflowX !== 'visible') [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)]
    }
    const seen = {
      top: Math.max(top, box.top),
      bottom: Math.min(bottom, box.bottom),
      left: Math.max(left, box.left),
      right: Math.min(right, box.right),
    }
    const height = seen.bottom - seen.top
    if (seen.right - seen.left < Math.min(24, box.width) - slack || height < Math.min(24, box.height) - slack) {
      faults.push(`${named(element)} has the focus out of view`)
      continue
    }
    const hit = document.elementFromPoint((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2)
    if (hit !== null && !element.contains(hit) && !hit.contains(element))
      faults.push(`${named(element)} has the focus below ${named(hit)}`)
    const now = ringsOf(element)
    const cells = [...(element.parentElement?.children ?? [])].map((each) => getComputedStyle(each).boxShadow)
    const hasRing = now.some((style, index) => style !== rest[index])
    const hasOwnRing = isDrawn(getComputedStyle(element), 2)
    const hasCell = cells.some((style, index) => style !== cellsAtRest[index])
    if (!hasRing && !hasOwnRing && !hasCell) faults.push(`${named(element)} shows no focus`)
    if (hasForcedColours) {
      element.blur()
      await nextFrame()
      if (!isEdged(element)) faults.push(`${named(element)} has no edge`)
    }
  }
  // 6
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    for (const { effect } of document.getAnimations()) {
      const target = effect instanceof KeyframeEffect ? effect.target : null
      if (Number(effect?.getComputedTiming().duration) > 0 && target !== null) faults.push(`${named(target)} moves`)
    }
  }
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return [...new Set(faults)]
}

export const layoutFaults = (frame: Frame, hasForcedColours = false): Promise<string[]> =>
  frame.evaluate(faultsOfDocument, hasForcedColours)
