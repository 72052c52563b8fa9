"""The regression set: questions of readers with the pages that answer them."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from docs_search.admin.texts import minute
from docs_search.errors import DocentError
from docs_search.evaluation.judged_pages import candidates, find_judged_page
from docs_search.evaluation.questions import MAX_GRADE
from docs_search.models import Corpus, JudgedQuestion, SearchLog

QUESTION_CHARACTERS = 80  # in a list
ANSWERS = 2  # the grade of a page that is ticked, or named without one


class GradedPagesField(forms.CharField):
    """Pages with their grades, one a line."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": 4, "cols": 80}), **arguments)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, list):
            return "\n".join(f"{entry['page']} {entry['grade']}" for entry in value)
        return value

    def to_python(self, value: Any) -> list[tuple[str, int]]:  # type: ignore[override]
        """Each page as it is written, with its grade."""
        pages = []
        for line in str(value or "").splitlines():
            page, _, grade = line.strip().rpartition(" ")
            if not page or not grade.isdecimal():
                page, grade = line.strip(), str(ANSWERS)
            if not page:
                continue
            if len(grade) > 2 or not 1 <= int(grade) <= MAX_GRADE:
                raise forms.ValidationError(f"The grade of {page} must be a whole number from 1 to {MAX_GRADE}.")
            pages.append((page.strip(), int(grade)))
        return pages

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.to_python(self.prepare_value(initial)) != self.to_python(data)


class JudgedQuestionForm(forms.ModelForm):  # type: ignore[type-arg]
    """`found` are pages that search finds now, to be ticked: path and title."""

    found: Sequence[tuple[str, str]] = ()

    corpus = forms.ChoiceField()
    found_pages = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "radiolist"}),  # the admin's class for wide labels
        label="Found now",
        help_text="What search finds for the question at present. Tick the pages that answer it.",
    )
    relevant = GradedPagesField(
        required=False,
        label="Pages",
        help_text="One page a line, by its path or its address; then its grade: 2 answers the question (as a page"
        " without a grade does), 1 helps. No page at all: the documentation does not answer it.",
    )

    class Meta:
        model = JudgedQuestion
        fields = ("text", "corpus", "kind", "relevant")
        widgets = {"text": forms.Textarea(attrs={"rows": 2, "cols": 80})}

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        slugs = dict.fromkeys([*Corpus.objects.values_list("slug", flat=True), self.instance.corpus])
        self.fields["corpus"].choices = [("", ""), *((slug, slug) for slug in slugs if slug)]  # type: ignore[attr-defined]
        known = {entry["page"] for entry in self.instance.relevant}
        found = [(path, f"{title} ({path})") for path, title in self.found if path not in known]
        self.fields["found_pages"].choices = found  # type: ignore[attr-defined]
        if not found:
            self.fields["found_pages"].help_text = "No further page: nothing is asked yet, or search finds none."

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if "corpus" not in values or "relevant" not in values:
            return values
        written = [*((path, ANSWERS) for path in values.get("found_pages", ())), *values["relevant"]]
        judged: dict[str, int] = {}
        for text, grade in written:
            try:
                judged[find_judged_page(values["corpus"], text).path] = grade
            except DocentError as fault:
                self.add_error("relevant", fault.message)
        values["relevant"] = [{"page": path, "grade": grade} for path, grade in judged.items()]
        return values


@admin.register(JudgedQuestion)
class JudgedQuestionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = JudgedQuestionForm
    list_display = ("short_text", "corpus", "kind", "judgments", "created_by", "created")
    list_filter = ("corpus", "kind")
    list_select_related = ("created_by",)
    search_fields = ("text",)
    readonly_fields = ("origin", "created_by", "created")

    def get_queryset(self, request: HttpRequest) -> QuerySet[JudgedQuestion]:
        return super().get_queryset(request).select_related("search", "created_by")

    def get_fields(self, request: HttpRequest, obj: JudgedQuestion | None = None) -> list[Any]:
        form = ["text", "corpus", "kind", "found_pages", "relevant"]
        if obj is not None and not self.has_change_permission(request, obj):
            form.remove("found_pages")
        return [*form, *(self.readonly_fields if obj else ())]

    def get_form(
        self, request: HttpRequest, obj: JudgedQuestion | None = None, change: bool = False, **named: Any
    ) -> type[forms.ModelForm]:  # type: ignore[type-arg]
        named["fields"] = JudgedQuestionForm.Meta.fields
        form = super().get_form(request, obj, change, **named)
        asked = obj or _logged(request)
        found = [(page.path, page.title) for page in candidates(asked.corpus, _text(asked))] if asked else []
        return type(form.__name__, (form,), {"found": found})

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        log = _logged(request)
        return {"text": log.query, "corpus": log.corpus} if log else {}

    def save_model(self, request: HttpRequest, obj: JudgedQuestion, form: Any, change: bool) -> None:
        if not change:
            obj.created_by_id = request.user.pk
            obj.search = _logged(request)
        super().save_model(request, obj, form, change)

    @admin.display(description="question", ordering="text")
    def short_text(self, question: JudgedQuestion) -> str:
        return Truncator(question.text).chars(QUESTION_CHARACTERS)

    @admin.display(description="pages")
    def judgments(self, question: JudgedQuestion) -> str:
        return ", ".join(entry["page"] for entry in question.relevant) or "none answers it"

    @admin.display(description="created", ordering="created_at")
    def created(self, question: JudgedQuestion) -> str:
        return minute(question.created_at)

    @admin.display(description="from")
    def origin(self, question: JudgedQuestion) -> SafeString | str:
        if question.search is None:
            return "written by hand"
        address = reverse("admin:docs_search_searchlog_change", args=[question.search.pk])
        return format_html('<a href="{}">search of {}</a>', address, minute(question.search.at))


def _text(asked: JudgedQuestion | SearchLog) -> str:
    return asked.text if isinstance(asked, JudgedQuestion) else asked.query


def _logged(request: HttpRequest) -> SearchLog | None:
    """The logged search that a question is made from, for an account that may see it."""
    number = request.GET.get("search", "")
    if not number.isdecimal() or len(number) > 18 or not request.user.has_perm("docs_search.view_searchlog"):
        return None
    return SearchLog.objects.filter(pk=int(number)).exclude(query="").first()
