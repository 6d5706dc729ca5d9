/**
 * Collects questions that are asked in one turn of the event loop and sends them as one message.
 *
 * @param send answers the questions in their order; when it throws, every question of the batch throws that
 */
export function batched<Question, Answer>(
  send: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  const flush = async () => {
    const batch = waiting;
    waiting = [];
    try {
      const answers = await send(batch.map((each) => each.question));
      batch.forEach((each, index) => {
        if (index < answers.length) each.resolve(answers[index] as Answer);
        else each.reject(new Error('The sandbox left a question without an answer.'));
      });
    } catch (error) {
      for (const each of batch) each.reject(error);
    }
  };
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => void flush());
      waiting.push({ question, resolve, reject });
    });
}
