// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { applyLimits } from './style-limits'

it('are the widths and times of spec §9, as tokens', () => {
  const root = document.createElement('div')
  applyLimits(root)
  const names = ['header', 'height', 'view', 'shake', 'width']
  const values = names.map((name) => root.style.getPropertyValue(`--limit-${name}`))
  expect(values).toEqual(['120ms', '150ms', '150ms', '500ms', '360px'])
})
