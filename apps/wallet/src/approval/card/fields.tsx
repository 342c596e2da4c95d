import { Fact } from '@postern/ui/facts'
import { FullAddress } from '@postern/ui/full-address'
import { SiteText } from '@postern/ui/site-text'
import type { ReactNode } from 'react'
import type { Field } from '../../intent/intent'
import styles from './approval.module.css'
import { OwnTag } from './own-addresses'
import { withIndex } from './with-index'

const maxDepth = 4

/** In characters. */
const shortValue = 24

/** Omits nothing that is signed. */
export function Fields({
  fields,
  depth = 0,
}: {
  readonly fields: readonly Field[]
  readonly depth?: number
}): ReactNode {
  return withIndex(fields).map(({ index, item }) => <OneField key={index} field={item} depth={depth} />)
}

function OneField({ field, depth }: { readonly field: Field; readonly depth: number }) {
  const name = (
    <span title={field.type} className={styles.fieldName} data-depth={Math.min(depth, maxDepth)}>
      <SiteText text={field.name} />
    </span>
  )
  if (typeof field.value !== 'string')
    return (
      <>
        <Fact name={name}>{field.value.length === 0 ? '[]' : null}</Fact>
        <Fields fields={field.value} depth={depth + 1} />
      </>
    )
  const isLong = field.value.length > shortValue || field.value.includes('\n')
  return (
    <Fact name={name} tall={isLong}>
      <span className={styles.field} data-depth={isLong ? Math.min(depth, maxDepth) : undefined}>
        {isAddress(field) ? (
          <>
            <FullAddress address={field.value} /> <OwnTag address={field.value} />
          </>
        ) : (
          <SiteText text={field.value} />
        )}
      </span>
    </Fact>
  )
}

function isAddress({ type, value }: Field): boolean {
  return type === 'address' && typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
}
