"""The questions that staff have judged."""

from docs_search.evaluation.questions import Question, QuestionsError, QuestionSet
from docs_search.models import JudgedQuestion

NAME = "regression set"


def regression_set() -> QuestionSet:
    """Every judged question of the database. Raises QuestionsError where there is none."""
    questions = tuple(
        Question(
            id=f"judged-{row.pk}",
            text=row.text,
            corpus=row.corpus,
            kind=row.kind,
            relevant={entry["page"]: entry["grade"] for entry in row.relevant},
        )
        for row in JudgedQuestion.objects.order_by("pk")
    )
    if not questions:
        raise QuestionsError("There are no judged questions yet: name a file of questions, or judge some in the admin.")
    return QuestionSet(NAME, questions)
