import { manualClock } from '@postern/base/testing/manual-clock'
import { expect, it } from 'vitest'
import { navigatePopup, type Popup } from './popup'

function popupAt(href: () => string) {
  const led: string[] = []
  const popup: Popup & { closed: boolean } = {
    closed: false,
    close() {},
    location: {
      get href() {
        return href()
      },
      replace: (url) => void led.push(url),
    },
  }
  return { popup, led }
}

const elsewhere = () => {
  throw new DOMException('Blocked', 'SecurityError')
}

it('navigates a window at once if its first page has loaded', () => {
  const { popup, led } = popupAt(elsewhere)
  void navigatePopup(popup, 'https://wallet.test/window', manualClock())
  expect(led).toEqual(['https://wallet.test/window'])
})

it('waits for the first page, which would cancel the navigation', async () => {
  const clock = manualClock()
  let href = () => 'about:blank'
  const { popup, led } = popupAt(() => href())
  const done = navigatePopup(popup, 'https://wallet.test/window', clock)
  clock.advance(1_000)
  expect(led).toEqual([])
  href = elsewhere
  clock.advance(100)
  await done
  expect(led).toEqual(['https://wallet.test/window'])
})

it('navigates after a timeout, but not a closed window', async () => {
  const clock = manualClock()
  const slow = popupAt(() => 'about:blank')
  const gone = popupAt(() => 'about:blank')
  const both = Promise.all([
    navigatePopup(slow.popup, 'https://a.test/', clock),
    navigatePopup(gone.popup, 'https://a.test/', clock),
  ])
  gone.popup.closed = true
  clock.advance(6_000)
  await both
  expect(slow.led).toEqual(['https://a.test/'])
  expect(gone.led).toEqual([])
})
