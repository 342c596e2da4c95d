import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Sorts test files by environment.
 * Vitest starts another worker and loads the modules again if the next file has another project or environment.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groups = new Map<string, TestSpecification[]>()
    for (const file of await super.sort(files)) {
      const name = `${file.project.name} ${environmentOf(file)}`
      groups.set(name, [...(groups.get(name) ?? []), file])
    }
    return [...groups.values()].flat()
  }
}

/** Reads the comment at the start of the file. */
function environmentOf({ moduleId }: TestSpecification): string {
  return /@vitest-environment (\S+)/.exec(readFileSync(moduleId, 'utf8'))?.[1] ?? 'node'
}
