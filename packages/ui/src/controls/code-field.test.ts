import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeLength, digitsOf, editOf } from './code-field'

const press = (keys: string, code = '', cell = code.length) =>
  keys.split(' ').reduce<{ code: string; cell: number }>(
    (state, key) => {
      const next = editOf(key, state.code, Math.min(state.cell, codeLength - 1))
      return next === null ? state : { code: next.code, cell: Math.min(next.cell, codeLength - 1) }
    },
    { code, cell },
  )

describe('digitsOf', () => {
  it.each([
    ['123 456', '123456'],
    ['123-456', '123456'],
    ['Your code is 012345.', '012345'],
    ['1234567', '123456'],
    ['no code', ''],
    ['٤١٧ ٨٢٦', '417826'],
    ['４１７８２６', '417826'],
    ['५²', '5'],
  ])('extracts the digits of %j', (text, digits) => expect(digitsOf(text)).toBe(digits))
})

describe('editOf', () => {
  it('appends digits, also of other scripts', () => {
    expect(press('4 1 7').code).toBe('417')
    expect(press('٤ ۱ ７').code).toBe('417')
  })

  it('replaces the selected digit, and moves to the next', () => {
    expect(press('ArrowLeft ArrowLeft 9', '417')).toEqual({ code: '497', cell: 2 })
    expect(press('Home 0', '417826')).toEqual({ code: '017826', cell: 1 })
  })

  it('deletes digits from the end, one per press', () => {
    expect(press('Backspace Backspace', '417')).toEqual({ code: '4', cell: 1 })
    expect(press('Backspace Backspace', '417826', 5)).toEqual({ code: '4178', cell: 4 })
    expect(press('Backspace', '')).toEqual({ code: '', cell: 0 })
  })

  it('moves no further than the first empty place', () => {
    expect(press('ArrowRight ArrowRight', '41', 0)).toEqual({ code: '41', cell: 2 })
    expect(press('ArrowRight', '41', 2).cell).toBe(2)
    expect(press('End', '417826', 0).cell).toBe(5)
  })

  it('leaves other keys to the browser', () => {
    expect(editOf('a', '41', 2)).toBeNull()
    expect(editOf('Tab', '41', 2)).toBeNull()
    expect(editOf('Enter', '41', 2)).toBeNull()
  })

  it('contains at most six digits, whatever keys are pressed', () => {
    const keys = fc.constantFrom('0', '5', '9', 'Backspace', 'Delete', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'x')
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 40 }), (pressed) => {
        const { code, cell } = press(pressed.join(' '))
        expect(code).toMatch(/^\d{0,6}$/)
        expect(cell).toBeGreaterThanOrEqual(0)
        expect(cell).toBeLessThanOrEqual(Math.min(code.length, codeLength - 1))
      }),
    )
  })
})
