import { textDirection } from '@postern/base/text-direction'
import { Button } from '@postern/ui/button'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'

/** Heading of a page, focused when the page opens, and its title in the tab. */
export function Title({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${children} · Postern console`
    heading.current?.focus()
  }, [children])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section className="section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

type FieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'password'
  readonly placeholder?: string
  readonly hint?: string
  /** Of the value. */
  readonly language?: string
  readonly ref?: RefObject<HTMLInputElement | null>
}

export function Field({ label, value, onChange, type = 'text', placeholder, hint, language, ref }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        ref={ref ?? null}
        type={type}
        value={value}
        lang={language}
        dir={language === undefined ? undefined : textDirection(language)}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

export function TextArea({
  label,
  value,
  onChange,
  hint,
}: Pick<FieldProps, 'label' | 'value' | 'onChange'> & { readonly hint: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        value={value}
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-hint`} className="hint">
        {hint}
      </p>
    </div>
  )
}

/** Scrolls sideways on a narrow screen; the page does not. */
export function Table({
  label,
  columns,
  children,
}: {
  readonly label: string
  readonly columns: readonly string[]
  readonly children: ReactNode
}) {
  return (
    // Scrolls with the keyboard only if it can be focused.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the keyboard's focus (WCAG 2.1.1)
    <section className="table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

type Loaded<T> = { readonly data: T | undefined; readonly error: Error | null }

/** Shows loading, the failure or the content. `title`: for content with its own heading. */
export function Result<T>({
  query,
  title,
  children,
}: {
  readonly query: Loaded<T>
  readonly title?: string
  readonly children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null)
    return (
      <>
        {title !== undefined && <Title>{title}</Title>}
        <Failure error={query.error} />
      </>
    )
  return (
    <p className="hint" role="status">
      Loading…
    </p>
  )
}

export function Failure({ error }: { readonly error: Error | null }) {
  return error === null ? null : (
    <p className="failure" role="alert">
      {error.message}
    </p>
  )
}

/** A button that asks first, in a modal dialog. */
export function Confirmed({
  name,
  question,
  busy,
  onConfirm,
}: {
  readonly name: string
  readonly question: string
  readonly busy: boolean
  readonly onConfirm: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
  }, [isOpen])
  return (
    <>
      <Button tone="bad" busy={busy} onPress={() => setOpen(true)}>
        {name}
      </Button>
      {isOpen && (
        <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={() => setOpen(false)}>
          <h2 id={id}>{name}?</h2>
          <p>{question}</p>
          <div className="actions">
            <Button tone="secondary" onPress={() => dialog.current?.close()}>
              Cancel
            </Button>
            <Button
              tone="bad"
              onPress={() => {
                dialog.current?.close()
                onConfirm()
              }}
            >
              {name}
            </Button>
          </div>
        </dialog>
      )}
    </>
  )
}

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{format.format(new Date(at))}</time>
}
