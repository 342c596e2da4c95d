import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Order of the test files. Vitest ends a worker, and loads the modules again in another, where the next file has
 * another project or environment: files of one environment follow each other.
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

/** By the comment at the start of the file. */
function environmentOf({ moduleId }: TestSpecification): string {
  return /@vitest-environment (\S+)/.exec(readFileSync(moduleId, 'utf8'))?.[1] ?? 'node'
}
