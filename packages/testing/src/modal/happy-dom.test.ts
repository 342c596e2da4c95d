// @vitest-environment happy-dom
import { createPostern } from '@postern/client'
import { expect, test, vi } from 'vitest'
import { scriptModal } from './script-modal'

test('happy-dom: connects and answers a request', async () => {
  const address = '0x1111111111111111111111111111111111111111'
  const modal = scriptModal({ connect: { address }, requests: { eth_gasPrice: () => '0x7' } })
  const postern = createPostern({ projectId: 'happy', networks: ['ethereum'], host: 'https://modal.example' })
  expect(await postern.eip155.request({ method: 'eth_requestAccounts' })).toEqual([address])
  expect(await postern.eip155.request({ method: 'eth_gasPrice' })).toBe('0x7')
  await vi.dynamicImportSettled()
  postern.destroy()
  modal.restore()
})

test('happy-dom: a frame of the modal gives it nothing to report in the console', () => {
  const modal = scriptModal()
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts allow-storage-access-by-user-activation')
  frame.src = 'https://modal.example/?projectId=happy&sv=1'
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
  expect(frame.hasAttribute('srcdoc')).toBe(true) // so that it loads nothing
  modal.restore()
  frame.setAttribute('sandbox', 'allow-scripts allow-forms')
  expect(Object.hasOwn(HTMLIFrameElement.prototype, 'setAttribute')).toBe(false)
})
